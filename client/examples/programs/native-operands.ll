; What is done around native code has objects for operands, which move while native code runs: it finds them where they are.
; run: 30 = 2138
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @enter_native()
declare void @leave_native()
declare i64 @native_work(i64)
declare i64 @native_call(ptr, i64)
declare void @native_throw()
declare i32 @handle_catches(...)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; %at notes what it is called with, and %both how often, with the number that %at will have.
define internal void @gc.transition_enter(ptr addrspace(1) %at, <2 x ptr addrspace(1)> %both, i64 %n) {
  %field = getelementptr i8, ptr addrspace(1) %at, i64 8
  store i64 %n, ptr addrspace(1) %field
  call void @enter_native()
  ret void
}

define internal void @gc.transition_leave(ptr addrspace(1) %at, <2 x ptr addrspace(1)> %both, i64 %n) {
  %first = extractelement <2 x ptr addrspace(1)> %both, i64 0
  %second = extractelement <2 x ptr addrspace(1)> %both, i64 1
  %field = getelementptr i8, ptr addrspace(1) %at, i64 8
  call void @leave_native()
  %noted = load i64, ptr addrspace(1) %field
  %more = add i64 %noted, 1
  store i64 %more, ptr addrspace(1) %field
  %count.at = getelementptr i8, ptr addrspace(1) %first, i64 8
  %count = load i64, ptr addrspace(1) %count.at
  %counted = add i64 %count, 1
  store i64 %counted, ptr addrspace(1) %count.at
  %sum.at = getelementptr i8, ptr addrspace(1) %second, i64 8
  %sum = load i64, ptr addrspace(1) %sum.at
  %summed = add i64 %sum, %noted
  store i64 %summed, ptr addrspace(1) %sum.at
  ret void
}

define ptr addrspace(1) @node() gc "statepoint-example" {
  %node = call ptr addrspace(1) @allocate(i64 16, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %node
  %field = getelementptr i8, ptr addrspace(1) %node, i64 8
  store i64 0, ptr addrspace(1) %field
  ret ptr addrspace(1) %node
}

define i64 @value(ptr addrspace(1) %node) gc "statepoint-example" {
  %field = getelementptr i8, ptr addrspace(1) %node, i64 8
  %value = load i64, ptr addrspace(1) %field
  ret i64 %value
}

; Managed code that native code calls: it goes into native code once more, with objects of its own.
define i64 @back(i64 %n) gc "statepoint-example" {
  %at = call ptr addrspace(1) @node()
  %one = insertelement <2 x ptr addrspace(1)> undef, ptr addrspace(1) %at, i64 0
  %both = insertelement <2 x ptr addrspace(1)> %one, ptr addrspace(1) %at, i64 1
  %work = call i64 @native_work(i64 %n) [ "gc-transition"(ptr addrspace(1) %at, <2 x ptr addrspace(1)> %both, i64 %n) ]
  %value = call i64 @value(ptr addrspace(1) %at)
  %sum = add i64 %value, %work
  ret i64 %sum
}

; A pointer into an object is one into the same object afterwards.
define i64 @inside(i64 %n) gc "statepoint-example" {
  %object = call ptr addrspace(1) @allocate(i64 24, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %object
  %first.at = getelementptr i8, ptr addrspace(1) %object, i64 8
  store i64 0, ptr addrspace(1) %first.at
  %one = insertelement <2 x ptr addrspace(1)> undef, ptr addrspace(1) %object, i64 0
  %both = insertelement <2 x ptr addrspace(1)> %one, ptr addrspace(1) %object, i64 1
  %work = call i64 @native_work(i64 %n) [ "gc-transition"(ptr addrspace(1) %first.at, <2 x ptr addrspace(1)> %both, i64 %n) ]
  %second.at = getelementptr i8, ptr addrspace(1) %first.at, i64 8
  %first = load i64, ptr addrspace(1) %first.at
  %second = load i64, ptr addrspace(1) %second.at
  %a = add i64 %work, %first
  %b = add i64 %a, %second
  ret i64 %b
}

define i64 @attempt(i64 %n, ptr addrspace(1) %at, <2 x ptr addrspace(1)> %both) gc "statepoint-example" personality ptr @handle_catches {
entry:
  invoke void @native_throw() [ "gc-transition"(ptr addrspace(1) %at, <2 x ptr addrspace(1)> %both, i64 %n) ]
          to label %normal unwind label %handler

normal:
  ret i64 -1

handler:
  %pad = landingpad { ptr, i32 }
          catch ptr null
  %other = call ptr addrspace(1) @node()
  %left = call i64 @value(ptr addrspace(1) %at)
  %zero = call i64 @value(ptr addrspace(1) %other)
  %sum = add i64 %left, %zero
  ret i64 %sum
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %at = call ptr addrspace(1) @node()
  %count = call ptr addrspace(1) @node()
  %sum = call ptr addrspace(1) @node()
  %one = insertelement <2 x ptr addrspace(1)> undef, ptr addrspace(1) %count, i64 0
  %both = insertelement <2 x ptr addrspace(1)> %one, ptr addrspace(1) %sum, i64 1
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi i64 [ 0, %entry ], [ %more, %loop ]
  %work = call i64 @native_work(i64 %i) [ "gc-transition"(ptr addrspace(1) %at, <2 x ptr addrspace(1)> %both, i64 %i) ]
  %left = call i64 @value(ptr addrspace(1) %at)
  %both.sums = add i64 %work, %left
  %more = add i64 %total, %both.sums
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %loop

done:
  %called = call i64 @native_call(ptr @back, i64 %n) [ "gc-transition"(ptr addrspace(1) %at, <2 x ptr addrspace(1)> %both, i64 %n) ]
  %thrown = call i64 @attempt(i64 %n, ptr addrspace(1) %at, <2 x ptr addrspace(1)> %both)
  %inner = call i64 @inside(i64 %n)
  %times = call i64 @value(ptr addrspace(1) %count)
  %noted = call i64 @value(ptr addrspace(1) %sum)
  %a = add i64 %more, %called
  %b = add i64 %a, %thrown
  %c = add i64 %b, %times
  %d = add i64 %c, %noted
  %e = add i64 %d, %inner
  ret i64 %e
}
