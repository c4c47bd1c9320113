; Native code that is called with live references, calls back, and throws: others collect around it meanwhile.
; run: 30 = 47456
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

define internal void @gc.transition_enter() {
  call void @enter_native()
  ret void
}

define internal void @gc.transition_leave() {
  call void @leave_native()
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

; Managed code that native code calls: it collects, and goes into native code once more.
define i64 @back(i64 %n) gc "statepoint-example" {
  %list = call ptr addrspace(1) @build(i64 %n)
  %work = call i64 @native_work(i64 %n) [ "gc-transition"() ]
  %weight = call i64 @weigh(ptr addrspace(1) %list)
  %sum = add i64 %weight, %work
  ret i64 %sum
}

define i64 @attempt(i64 %n, ptr addrspace(1) %list) gc "statepoint-example" personality ptr @handle_catches {
entry:
  invoke void @native_throw() [ "gc-transition"() ]
          to label %normal unwind label %handler

normal:
  ret i64 -1

handler:
  %pad = landingpad { ptr, i32 }
          catch ptr null
  %again = call ptr addrspace(1) @build(i64 %n)
  %kept = call i64 @weigh(ptr addrspace(1) %list)
  %new = call i64 @weigh(ptr addrspace(1) %again)
  %sum = add i64 %kept, %new
  ret i64 %sum
}

define i64 @returns(i64 %n, ptr addrspace(1) %list, ptr %code) gc "statepoint-example" personality ptr @handle_catches {
entry:
  %result = invoke i64 %code(i64 %n) [ "gc-transition"() ]
          to label %normal unwind label %handler

normal:
  %weight = call i64 @weigh(ptr addrspace(1) %list)
  %sum = add i64 %weight, %result
  ret i64 %sum

handler:
  %pad = landingpad { ptr, i32 }
          catch ptr null
  ret i64 -1
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %list = call ptr addrspace(1) @build(i64 %n)
  %work = call i64 @native_work(i64 %n) [ "gc-transition"() ]
  %called = call i64 @native_call(ptr @back, i64 %n) [ "gc-transition"() ]
  %thrown = call i64 @attempt(i64 %n, ptr addrspace(1) %list)
  %returned = call i64 @returns(i64 %n, ptr addrspace(1) %list, ptr @native_work)
  %weight = call i64 @weigh(ptr addrspace(1) %list)
  %a = add i64 %work, %called
  %b = add i64 %a, %thrown
  %c = add i64 %b, %returned
  %d = add i64 %c, %weight
  ret i64 %d
}
