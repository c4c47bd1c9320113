; Two dozen functions, for split=functions and incremental: docs/compiler/large-modules.md.
declare ptr addrspace(1) @allocate(i64)
declare void @collect()
define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define i64 @sum1(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 401
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum2(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 402
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum3(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 403
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum4(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 404
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum5(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 405
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum6(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 406
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum7(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 407
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum8(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 408
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum9(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 409
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum10(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 410
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum11(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 411
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum12(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 412
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum13(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 413
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum14(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 414
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum15(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 415
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum16(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 416
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum17(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 417
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum18(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 418
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum19(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 419
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum20(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 420
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum21(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 421
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum22(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 422
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum23(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 423
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}

define i64 @sum24(ptr addrspace(1) %list, i64 %n) gc "statepoint-example" {
entry:
  %cell = call ptr addrspace(1) @allocate(i64 16)
  br label %loop

loop:
  %at = phi ptr addrspace(1) [ %list, %entry ], [ %next, %more ]
  %sum = phi i64 [ %n, %entry ], [ %added, %more ]
  %end = icmp eq ptr addrspace(1) %at, null
  br i1 %end, label %done, label %more

more:
  %value = load i64, ptr addrspace(1) %at
  %times = mul i64 %value, 424
  %added = add i64 %sum, %times
  %link = getelementptr i64, ptr addrspace(1) %at, i64 1
  %next = load ptr addrspace(1), ptr addrspace(1) %link
  br label %loop

done:
  store i64 %sum, ptr addrspace(1) %cell
  ret i64 %sum
}
