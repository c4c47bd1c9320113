; What does not fit is refused.
;--- void(
; RUN: safepoints=none
; STATUS: transition_conflict
; ERROR: void(
define i64 @gc.transition_enter() {
  ret i64 0
}
;--- gc.transition_leave
; RUN: safepoints=none
; STATUS: transition_conflict
; ERROR: gc.transition_leave
@gc.transition_leave = global i8 0
;--- gc.transition_enter
; RUN: safepoints=none
; STATUS: transition_conflict
; ERROR: gc.transition_enter
define internal ptr @pick() {
  ret ptr null
}
@gc.transition_enter = ifunc void (), ptr @pick
;--- 'gc.transition_enter' is in the module
; RUN: safepoints=none
; STATUS: transition_conflict
; ERROR: 'gc.transition_enter' is in the module, but is not a function void(…) of the bun
; AT: define i64 @gc.transition_enter() {


define i64 @gc.transition_enter() {
  ret i64 0
}
;--- of its own
; RUN: safepoints=none transition=flag
; STATUS: transition_conflict
; ERROR: of its own
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
;--- flag's address
; RUN: safepoints=none transition=flag
; STATUS: transition_conflict
; ERROR: flag's address
declare void @g()
define void @f() gc "statepoint-example" {
  call void @g() [ "gc-transition"(i64 1) ]
  ret void
}
;--- (i64)
; RUN: safepoints=none
; STATUS: transition_conflict
; ERROR: (i64)
define internal void @gc.transition_enter(ptr %t, i32 %n) {
  store i32 %n, ptr %t
  ret void
}
define internal void @gc.transition_leave(ptr %t, i32 %n) {
  store i32 0, ptr %t
  ret void
}
declare void @g()
define void @f() gc "statepoint-example" {
  call void @g() [ "gc-transition"(i64 1) ]
  ret void
}
;--- behind an invoke
; RUN: safepoints=none opt=0
; STATUS: transition_conflict
; ERROR: after an invoke
declare i32 @handle(...)
declare void @leave()
define void @gc.transition_leave(ptr addrspace(1) %o, i1 %c) personality ptr @handle {
  br i1 %c, label %go, label %ok
go:
  invoke void @leave() to label %ok unwind label %bad
ok:
  %p = phi ptr addrspace(1) [ null, %0 ], [ %o, %go ]
  call void @leave()
  store i8 1, ptr addrspace(1) %p
  ret void
bad:
  %x = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %x
}
declare void @g()
define void @f(ptr addrspace(1) %o, i1 %c) gc "statepoint-example" personality ptr @handle {
  call void @g() [ "gc-transition"(ptr addrspace(1) %o, i1 %c) ]
  ret void
}
;--- room to patch
; RUN: safepoints=none
; STATUS: transition_conflict
; ERROR: room to patch
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
declare void @g()
define void @f(ptr %t) gc "statepoint-example" {
  call void @g() "statepoint-num-patch-bytes"="8" [ "gc-transition"(ptr %t, i32 3) ]
  ret void
}
;--- musttail
; RUN: safepoints=none opt=0
; STATUS: cannot_rewrite
; ERROR: musttail
define internal void @gc.transition_enter(ptr %t, i32 %n) {
  store i32 %n, ptr %t
  ret void
}
define internal void @gc.transition_leave(ptr %t, i32 %n) {
  store i32 0, ptr %t
  ret void
}
declare void @g(ptr)
define void @f(ptr %t) gc "statepoint-example" {
  musttail call void @g(ptr %t) [ "gc-transition"(ptr %t, i32 3) ]
  ret void
}
