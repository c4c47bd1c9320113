; Builds a list of 1 to N, reverses it in place, and weighs it: every node moves at every step.
; run: 50 = 22100
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define ptr addrspace(1) @build(i64 %n) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %i = phi i64 [ %n, %entry ], [ %less, %more ]
  %list = phi ptr addrspace(1) [ null, %entry ], [ %node, %more ]
  %end = icmp eq i64 %i, 0
  br i1 %end, label %done, label %more

more:
  %node = call ptr addrspace(1) @allocate(i64 16, i64 1)
  store ptr addrspace(1) %list, ptr addrspace(1) %node
  %field = getelementptr i8, ptr addrspace(1) %node, i64 8
  store i64 %i, ptr addrspace(1) %field
  %less = sub i64 %i, 1
  br label %loop

done:
  ret ptr addrspace(1) %list
}

define ptr addrspace(1) @reverse(ptr addrspace(1) %list) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %back = phi ptr addrspace(1) [ null, %entry ], [ %at, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %next = load ptr addrspace(1), ptr addrspace(1) %at
  store ptr addrspace(1) %back, ptr addrspace(1) %at
  br label %loop

done:
  ret ptr addrspace(1) %back
}

; The sum of value * position, so that order counts.
define i64 @weigh(ptr addrspace(1) %list) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %position = phi i64 [ 1, %entry ], [ %more.position, %more ]
  %sum = phi i64 [ 0, %entry ], [ %more.sum, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %field = getelementptr i8, ptr addrspace(1) %at, i64 8
  %value = load i64, ptr addrspace(1) %field
  %weight = mul i64 %value, %position
  %more.sum = add i64 %sum, %weight
  %more.position = add i64 %position, 1
  %next = load ptr addrspace(1), ptr addrspace(1) %at
  br label %loop

done:
  ret i64 %sum
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %list = call ptr addrspace(1) @build(i64 %n)
  %back = call ptr addrspace(1) @reverse(ptr addrspace(1) %list)
  %weight = call i64 @weigh(ptr addrspace(1) %back)
  ret i64 %weight
}
