; The optimiser makes calls of such invokes.
; RUN: safepoints=none opt={0,1,2,3}
; IR: @f.transition(
; THEN: @leave
; THEN: landingpad
; THEN: @leave
; THEN: resume
; RUN: safepoints=none opt=2 emit=obj
; IR-NOT: smd-unwinds
declare void @enter(ptr)
declare void @leave(ptr)
define linkonce_odr void @gc.transition_enter(ptr %t, i32 %n) noinline {
  call void @enter(ptr %t)
  ret void
}
define internal void @gc.transition_leave(ptr %t, i32 %n) {
  call void @leave(ptr %t)
  ret void
}
declare i64 @native(i64)
declare i32 @handle(...)
define i64 @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" personality ptr @handle {
  %r = invoke i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
    to label %ok unwind label %bad
ok:
  ret i64 %r
bad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}
