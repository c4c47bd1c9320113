; Registers are not trusted.
; RUN: safepoints=none gc_registers=8
; WARNING=1: gc_registers is taken as 0
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
