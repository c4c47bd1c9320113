; Arrays gone through with pointers into them: derived pointers stay alive across the polls of loops.
; run: 100 = 214625
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; Fills from both ends at once: two derived pointers of one base.
define void @fill(ptr addrspace(1) %array, i64 %n) gc "statepoint-example" {
entry:
  %bytes = mul i64 %n, 8
  %past = getelementptr i8, ptr addrspace(1) %array, i64 %bytes
  %last = getelementptr i8, ptr addrspace(1) %past, i64 -8
  br label %loop

loop:
  %low = phi ptr addrspace(1) [ %array, %entry ], [ %low.next, %more ]
  %high = phi ptr addrspace(1) [ %last, %entry ], [ %high.next, %more ]
  %i = phi i64 [ 1, %entry ], [ %i.next, %more ]
  %more.left = icmp ult ptr addrspace(1) %low, %high
  br i1 %more.left, label %more, label %done

more:
  store i64 %i, ptr addrspace(1) %low
  %twice = mul i64 %i, 2
  store i64 %twice, ptr addrspace(1) %high
  %low.next = getelementptr i8, ptr addrspace(1) %low, i64 8
  %high.next = getelementptr i8, ptr addrspace(1) %high, i64 -8
  %i.next = add i64 %i, 1
  br label %loop

done:
  ret void
}

; Adds up what one array has, times what another has at the same place: derived pointers of two bases.
define i64 @product(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) gc "statepoint-example" {
entry:
  %bytes = mul i64 %n, 8
  %end = getelementptr i8, ptr addrspace(1) %a, i64 %bytes
  br label %loop

loop:
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %p.next, %more ]
  %q = phi ptr addrspace(1) [ %b, %entry ], [ %q.next, %more ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %more ]
  %past = icmp eq ptr addrspace(1) %p, %end
  br i1 %past, label %done, label %more

more:
  %x = load i64, ptr addrspace(1) %p
  %y = load i64, ptr addrspace(1) %q
  %xy = mul i64 %x, %y
  %sum.next = add i64 %sum, %xy
  %p.next = getelementptr i8, ptr addrspace(1) %p, i64 8
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 8
  br label %loop

done:
  ret i64 %sum
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %bytes = mul i64 %n, 8
  %a = call ptr addrspace(1) @allocate(i64 %bytes, i64 0)
  %b = call ptr addrspace(1) @allocate(i64 %bytes, i64 0)
  call void @fill(ptr addrspace(1) %a, i64 %n)
  call void @fill(ptr addrspace(1) %b, i64 %n)
  %sum = call i64 @product(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n)
  ret i64 %sum
}
