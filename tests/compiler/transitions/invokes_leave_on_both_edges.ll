; Invokes leave on both edges.
;--- call void @enter(ptr %t)
; RUN: safepoints=none opt={0,1,2,3}
; IR: @f.transition(
; THEN: @leave
; THEN: landingpad
; THEN: @leave
; THEN: resume
; RUN: safepoints=none
; SAFEPOINTS callee=indirect: 2
; SAFEPOINTS callee=leave: 2
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
declare i32 @handle(...)
define i64 @f(ptr addrspace(1) %o, ptr %t, ptr %code) gc "statepoint-example" personality ptr @handle {
  %r = invoke i64 %code(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
    to label %ok unwind label %bad
ok:
  %v = load i64, ptr addrspace(1) %o
  %s = add i64 %v, %r
  ret i64 %s
bad:
  %p = landingpad { ptr, i32 } cleanup
  %w = load i64, ptr addrspace(1) %o
  ret i64 %w
}
;--- store i32 %n, ptr %t
; RUN: safepoints=none opt={0,1,2,3}
; IR: @f.transition(
; THEN: store i32 %2, ptr %1
; THEN: store i32 0
; THEN: landingpad
; THEN: store i32 0
; THEN: resume
define internal void @gc.transition_enter(ptr %t, i32 %n) {
  store i32 %n, ptr %t
  ret void
}
define internal void @gc.transition_leave(ptr %t, i32 %n) {
  store i32 0, ptr %t
  ret void
}
declare i32 @handle(...)
define i64 @f(ptr addrspace(1) %o, ptr %t, ptr %code) gc "statepoint-example" personality ptr @handle {
  %r = invoke i64 %code(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
    to label %ok unwind label %bad
ok:
  %v = load i64, ptr addrspace(1) %o
  %s = add i64 %v, %r
  ret i64 %s
bad:
  %p = landingpad { ptr, i32 } cleanup
  %w = load i64, ptr addrspace(1) %o
  ret i64 %w
}
