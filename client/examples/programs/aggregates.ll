; References inside structs and arrays that live across safepoints: results, phis, selects, nested ones.
; run: 20 = 980
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

%pair = type { ptr addrspace(1), i64 }
%nest = type { i32, [2 x %pair], ptr addrspace(1) }

define ptr addrspace(1) @make(i64 %n) gc "statepoint-example" {
  %box = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %box
  %second = getelementptr i64, ptr addrspace(1) %box, i64 1
  store i64 1, ptr addrspace(1) %second
  ret ptr addrspace(1) %box
}

define %pair @two(i64 %n) gc "statepoint-example" {
  %box = call ptr addrspace(1) @make(i64 %n)
  %p = insertvalue %pair poison, ptr addrspace(1) %box, 0
  %q = insertvalue %pair %p, i64 %n, 1
  call void @collect()
  ret %pair %q
}

define i64 @take(%pair %p) gc "statepoint-example" {
  call void @collect()
  %r = extractvalue %pair %p, 0
  %n = extractvalue %pair %p, 1
  %v = load i64, ptr addrspace(1) %r
  %s = add i64 %v, %n
  ret i64 %s
}

; A struct in a phi, one of two by select, both in an array, with a derived pointer among them.
define i64 @loop(i64 %n) gc "statepoint-example" {
entry:
  %first = call %pair @two(i64 1)
  br label %loop

loop:
  %i = phi i64 [ %n, %entry ], [ %less, %loop ]
  %at = phi %pair [ %first, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %new = call %pair @two(i64 %i)
  %odd = trunc i64 %i to i1
  %chosen = select i1 %odd, %pair %at, %pair %new
  %box = extractvalue %pair %new, 0
  %inner = getelementptr i64, ptr addrspace(1) %box, i64 1
  %n0 = insertvalue %nest { i32 5, [2 x %pair] zeroinitializer, ptr addrspace(1) null }, %pair %chosen, 1, 0
  %n1 = insertvalue %nest %n0, %pair %new, 1, 1
  %n2 = insertvalue %nest %n1, ptr addrspace(1) %inner, 2
  call void @collect()
  %a = extractvalue %nest %n2, 1, 0
  %x = call i64 @take(%pair %a)
  %b = extractvalue %nest %n2, 1, 1
  %y = call i64 @take(%pair %b)
  %d = extractvalue %nest %n2, 2
  %one = load i64, ptr addrspace(1) %d
  %f = extractvalue %nest %n2, 0
  %five = zext i32 %f to i64
  %s1 = add i64 %x, %y
  %s2 = add i64 %s1, %one
  %s3 = add i64 %s2, %five
  %more = add i64 %sum, %s3
  %next = insertvalue %pair %new, i64 %i, 1
  %less = sub i64 %i, 1
  %end = icmp eq i64 %less, 0
  br i1 %end, label %done, label %loop

done:
  ret i64 %more
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %sum = call i64 @loop(i64 %n)
  ret i64 %sum
}
