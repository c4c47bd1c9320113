; To some personalities every landing pad is a handler, a clean-up's too. The frame of a transition has another one, so
; that what is thrown comes through to the function's own pad.
; RUN: opt={0,1,2,3}
; IR: /@attempt.transition\(.*personality ptr @__gcc_personality_v0/
; RESULT: 30 = 41
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @enter_native()
declare void @leave_native()
declare void @native_throw()
declare i32 @handle_all(...)

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

define i64 @attempt(ptr addrspace(1) %o) noinline gc "statepoint-example" personality ptr @handle_all {
  invoke void @native_throw() [ "gc-transition"() ] to label %normal unwind label %handler
normal:
  ret i64 -1
handler:
  %pad = landingpad { ptr, i32 } cleanup
  call void @collect()
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 8, i64 0)
  %v = add i64 %n, 11
  store i64 %v, ptr addrspace(1) %o
  %r = call i64 @attempt(ptr addrspace(1) %o)
  ret i64 %r
}
