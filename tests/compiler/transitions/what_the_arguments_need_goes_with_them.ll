; What the arguments need goes with them.
; RUN: safepoints=none opt={0,1,2,3}
; IR: @f.transition(ptr byval(%s) %0, i8 signext %1, i64 %2, ptr %3
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
%s = type { i64, i64, i64 }
declare void @native(ptr byval(%s), i8 signext, ...)
define void @f(ptr %t, ptr %p) gc "statepoint-example" {
  call void (ptr, i8, ...) @native(ptr byval(%s) %p, i8 signext 3, i64 9) [ "gc-transition"(ptr %t, i32 3) ]
  ret void
}
