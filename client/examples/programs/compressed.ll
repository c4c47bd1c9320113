; Compressed references: fields, values, arguments and results of 32 bits, of two address spaces, across collections.
; run: 12 = 1611
; options: spaces=2:32:0:heap_base,3:32:3:heap_base
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

%node = type { ptr addrspace(2), i32, i64 }

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define internal ptr addrspace(2) @cons(i64 %n, ptr addrspace(2) %next) noinline gc "statepoint-example" {
  %object = call ptr addrspace(1) @allocate(i64 16, i64 4294967296) ; one compressed reference
  %field = getelementptr %node, ptr addrspace(1) %object, i64 0, i32 0
  store ptr addrspace(2) %next, ptr addrspace(1) %field
  %value = getelementptr %node, ptr addrspace(1) %object, i64 0, i32 2
  store i64 %n, ptr addrspace(1) %value
  %small = addrspacecast ptr addrspace(1) %object to ptr addrspace(2)
  call void @collect()
  ret ptr addrspace(2) %small
}

; By way of the compressed reference itself.
define internal i64 @sum(ptr addrspace(2) %list) noinline gc "statepoint-example" {
entry:
  br label %head
head:
  %at = phi ptr addrspace(2) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %more ]
  %end = icmp eq ptr addrspace(2) %at, null
  br i1 %end, label %done, label %more
more:
  call void @collect()
  %value = getelementptr %node, ptr addrspace(2) %at, i64 0, i32 2
  %v = load i64, ptr addrspace(2) %value
  %sum.next = add i64 %sum, %v
  %next = load ptr addrspace(2), ptr addrspace(2) %at
  br label %head
done:
  ret i64 %sum
}

; In place, two at a time as one value.
define internal { ptr addrspace(2), ptr addrspace(2) } @split(ptr addrspace(2) %list) noinline gc "statepoint-example" {
entry:
  br label %head
head:
  %at = phi ptr addrspace(2) [ %list, %entry ], [ %next, %more ]
  %parts = phi { ptr addrspace(2), ptr addrspace(2) } [ zeroinitializer, %entry ], [ %turned, %more ]
  %end = icmp eq ptr addrspace(2) %at, null
  br i1 %end, label %done, label %more
more:
  %next = load ptr addrspace(2), ptr addrspace(2) %at
  %first = extractvalue { ptr addrspace(2), ptr addrspace(2) } %parts, 0
  %second = extractvalue { ptr addrspace(2), ptr addrspace(2) } %parts, 1
  store ptr addrspace(2) %first, ptr addrspace(2) %at
  call void @collect()
  %with = insertvalue { ptr addrspace(2), ptr addrspace(2) } poison, ptr addrspace(2) %second, 0
  %turned = insertvalue { ptr addrspace(2), ptr addrspace(2) } %with, ptr addrspace(2) %at, 1
  br label %head
done:
  ret { ptr addrspace(2), ptr addrspace(2) } %parts
}

; The other space: words of eight bytes.
define internal ptr addrspace(3) @other(ptr addrspace(2) %c) noinline gc "statepoint-example" {
  %object = addrspacecast ptr addrspace(2) %c to ptr addrspace(1)
  call void @collect()
  %same = addrspacecast ptr addrspace(1) %object to ptr addrspace(3)
  call void @collect()
  ret ptr addrspace(3) %same
}

; Slots whose address others have, and that variables index.
define internal void @fill(ptr %slots, ptr addrspace(2) %a, ptr addrspace(2) %b) noinline gc "statepoint-example" {
  %second = getelementptr { ptr addrspace(1), i32, ptr addrspace(2), ptr addrspace(2) }, ptr %slots, i64 0, i32 2
  store ptr addrspace(2) %a, ptr %second
  call void @collect()
  %third = getelementptr { ptr addrspace(1), i32, ptr addrspace(2), ptr addrspace(2) }, ptr %slots, i64 0, i32 3
  store ptr addrspace(2) %b, ptr %third
  %whole = addrspacecast ptr addrspace(2) %a to ptr addrspace(1)
  store ptr addrspace(1) %whole, ptr %slots
  ret void
}

define internal i64 @slots(ptr addrspace(2) %a, ptr addrspace(2) %b, i64 %n) noinline gc "statepoint-example" {
  %slots = alloca { ptr addrspace(1), i32, ptr addrspace(2), ptr addrspace(2) }
  %table = alloca [5 x ptr addrspace(2)]
  call void @fill(ptr %slots, ptr addrspace(2) %a, ptr addrspace(2) %b)
  %index = and i64 %n, 3
  %entry = getelementptr [5 x ptr addrspace(2)], ptr %table, i64 0, i64 %index
  store [5 x ptr addrspace(2)] zeroinitializer, ptr %table
  store ptr addrspace(2) %b, ptr %entry
  call void @collect()
  %x = load ptr addrspace(1), ptr %slots
  %third = getelementptr { ptr addrspace(1), i32, ptr addrspace(2), ptr addrspace(2) }, ptr %slots, i64 0, i32 3
  %y = load ptr addrspace(2), ptr %third
  %z = load ptr addrspace(2), ptr %entry
  %x.value = getelementptr %node, ptr addrspace(1) %x, i64 0, i32 2
  %y.value = getelementptr %node, ptr addrspace(2) %y, i64 0, i32 2
  %z.value = getelementptr %node, ptr addrspace(2) %z, i64 0, i32 2
  %i = load i64, ptr addrspace(1) %x.value
  %j = load i64, ptr addrspace(2) %y.value
  %k = load i64, ptr addrspace(2) %z.value
  %same = icmp eq ptr addrspace(2) %y, %z
  %bit = zext i1 %same to i64
  %ij = add i64 %i, %j
  %ijk = add i64 %ij, %k
  %all = add i64 %ijk, %bit
  ret i64 %all
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %list = phi ptr addrspace(2) [ null, %entry ], [ %longer, %loop ]
  %i.next = add i64 %i, 1
  %ten = mul i64 %i.next, 10
  %longer = call ptr addrspace(2) @cons(i64 %ten, ptr addrspace(2) %list)
  %enough = icmp eq i64 %i.next, %n
  br i1 %enough, label %built, label %loop
built:
  %a = call i64 @sum(ptr addrspace(2) %longer)
  %parts = call { ptr addrspace(2), ptr addrspace(2) } @split(ptr addrspace(2) %longer)
  call void @collect()
  %first = extractvalue { ptr addrspace(2), ptr addrspace(2) } %parts, 0
  %second = extractvalue { ptr addrspace(2), ptr addrspace(2) } %parts, 1
  %b = call i64 @sum(ptr addrspace(2) %first)
  %c = call i64 @sum(ptr addrspace(2) %second)
  %o = call ptr addrspace(3) @other(ptr addrspace(2) %second)
  call void @collect()
  %o.value = getelementptr %node, ptr addrspace(3) %o, i64 0, i32 2
  %d = load i64, ptr addrspace(3) %o.value
  %e = call i64 @slots(ptr addrspace(2) %first, ptr addrspace(2) %second, i64 %n)
  %ab = add i64 %a, %b
  %abc = add i64 %ab, %c
  %abcd = add i64 %abc, %d
  %all = add i64 %abcd, %e
  ret i64 %all
}
