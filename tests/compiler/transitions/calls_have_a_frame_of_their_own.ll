; A function that enters, calls and leaves, so that the caller's roots are in their places
; meanwhile.
; RUN: safepoints=none opt={0,1,2,3}
; IR: define ptr addrspace(1) @f(
; THEN: @f.transition,
; THEN: ret 
; THEN: @f.transition(
; THEN: @enter, i32 1
; THEN: @native, i32 1
; THEN: @leave, i32 1
; RUN: safepoints=none
; STACKMAP=1: "name":"f.transition"
; SAFEPOINTS callee=enter: 1
; SAFEPOINTS callee=leave: 1
; SAFEPOINTS callee=native: 2
; STACKMAP=2: "gc_transition":true
; STACKMAP=1: "base":
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
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" {
  %r = call i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
  store i64 %r, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
