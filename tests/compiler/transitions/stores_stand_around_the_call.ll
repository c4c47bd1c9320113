; Stores stand around the call.
; RUN: safepoints=none opt={0,1,2,3}
; IR: store i32 3, ptr %t
; THEN: @native, i32 1, i32 0, i64 7
; THEN: store i32 0, ptr %t
; THEN: store i64 %
; RUN: safepoints=none
; STACKMAP=1: "gc_transition":true
; STACKMAP=1: "safepoints":
define internal void @gc.transition_enter(ptr %t, i32 %n) {
  store i32 %n, ptr %t
  ret void
}
define internal void @gc.transition_leave(ptr %t, i32 %n) {
  store i32 0, ptr %t
  ret void
}
declare i64 @native(i64)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" {
  %r = call i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
  store i64 %r, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
