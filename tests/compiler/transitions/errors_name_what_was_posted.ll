; What is refused of a frame that smd made is said of the function that it is for, and where.
; RUN: safepoints=none
; STATUS: transition_conflict
;--- %e = alloca swifterror ptr
; ERROR @f: The call of s is a GC transition that needs a frame of its o
; AT=3: call swiftcc void @s(ptr swifterror %e) [ "gc-transition"(ptr %t, i32 3) ]
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
declare swiftcc void @s(ptr swifterror)
define void @f(ptr %t) gc "statepoint-example" {
  %e = alloca swifterror ptr
  store ptr null, ptr %e
  call swiftcc void @s(ptr swifterror %e) [ "gc-transition"(ptr %t, i32 3) ]
  ret void
}
;--- The call of inline assembly is a GC transition
; ERROR: The call of inline assembly is a GC transition
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
define void @f(ptr %t) gc "statepoint-example" {
  call void asm sideeffect "nop", ""() [ "gc-transition"(ptr %t, i32 3) ]
  ret void
}
