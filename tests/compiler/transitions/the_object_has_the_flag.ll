; The object's bytes have the flag, too.
; RUN: safepoints=none
; DECODED=1: "gc_transition":true
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
