; Scoped roots (llvm.gc.declare, undeclare and value): slots and values that are roots for as long as they say.
; run: 20 = 920
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
declare void @llvm.gc.value.pair({ ptr addrspace(1), i64, ptr addrspace(1) }, ptr)
@box = constant i64 8

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define ptr addrspace(1) @make(i64 %n) gc "statepoint-example" {
  %box = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %box
  ret ptr addrspace(1) %box
}

; Two slots one after the other; each is a root inside its scope only.
define i64 @slots(i64 %n) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  br label %loop

loop:
  %i = phi i64 [ %n, %entry ], [ %less, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  call void @llvm.gc.declare(ptr %a, ptr @box)
  %first = call ptr addrspace(1) @make(i64 %i)
  store ptr addrspace(1) %first, ptr %a
  call void @collect()
  %x = load ptr addrspace(1), ptr %a
  %v = load i64, ptr addrspace(1) %x
  call void @llvm.gc.undeclare(ptr %a)
  %second = call ptr addrspace(1) @make(i64 %v)
  store ptr addrspace(1) %second, ptr %b
  call void @llvm.gc.declare(ptr %b, ptr @box)
  call void @collect()
  call void @collect()
  %y = load ptr addrspace(1), ptr %b
  %w = load i64, ptr addrspace(1) %y
  call void @llvm.gc.undeclare(ptr %b)
  %part = add i64 %v, %w
  %more = add i64 %sum, %part
  %less = sub i64 %i, 1
  %end = icmp eq i64 %less, 0
  br i1 %end, label %done, label %loop

done:
  ret i64 %more
}

; Values: a formal argument, a phi, and an aggregate with pointers that lives across calls.
define i64 @values(ptr addrspace(1) %object, i64 %n) gc "statepoint-example" {
entry:
  call void @llvm.gc.value.p1(ptr addrspace(1) %object, ptr @box)
  br label %loop

loop:
  %i = phi i64 [ %n, %entry ], [ %less, %loop ]
  %last = phi ptr addrspace(1) [ %object, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  call void @llvm.gc.value.p1(ptr addrspace(1) %last, ptr null)
  %next = call ptr addrspace(1) @make(i64 %i)
  %kept = load i64, ptr addrspace(1) %next
  call void @llvm.gc.value.p1(ptr addrspace(1) %next, ptr null)
  %zero = sub i64 %kept, %i
  %one = insertvalue { ptr addrspace(1), i64, ptr addrspace(1) } { ptr addrspace(1) null, i64 3, ptr addrspace(1) null }, ptr addrspace(1) %last, 0
  %pair = insertvalue { ptr addrspace(1), i64, ptr addrspace(1) } %one, ptr addrspace(1) %next, 2
  call void @llvm.gc.value.pair({ ptr addrspace(1), i64, ptr addrspace(1) } %pair, ptr null)
  call void @collect()
  %p = extractvalue { ptr addrspace(1), i64, ptr addrspace(1) } %pair, 0
  %q = extractvalue { ptr addrspace(1), i64, ptr addrspace(1) } %pair, 2
  %three = extractvalue { ptr addrspace(1), i64, ptr addrspace(1) } %pair, 1
  call void @collect()
  %v = load i64, ptr addrspace(1) %p
  %w = load i64, ptr addrspace(1) %q
  %o = load i64, ptr addrspace(1) %object
  %s1 = add i64 %v, %w
  %s2 = add i64 %s1, %o
  %s3 = add i64 %s2, %three
  %s4 = add i64 %s3, %zero
  %more = add i64 %sum, %s4
  %less = sub i64 %i, 1
  %end = icmp eq i64 %less, 0
  br i1 %end, label %done, label %loop

done:
  ret i64 %more
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call i64 @slots(i64 %n)
  %object = call ptr addrspace(1) @make(i64 1)
  %b = call i64 @values(ptr addrspace(1) %object, i64 %n)
  %sum = add i64 %a, %b
  ret i64 %sum
}
