; Calls of what is declared to do nothing would go.
; RUN: safepoints=none opt={0,1,2,3}
; STATUS: transition_conflict
;--- gc.transition_enter is declared
; ERROR: gc.transition_enter is declared
declare void @gc.transition_enter(ptr, i32) memory(none)
declare i64 @native(i64)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" {
  %r = call i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
  store i64 %r, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
;--- declare void @gc.transition_enter(ptr
; ERROR: gc.transition_enter is declared
declare void @gc.transition_enter(ptr, i32) memory(read) nounwind willreturn
declare i64 @native(i64)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" {
  %r = call i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
  store i64 %r, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
;--- declare void @gc.transition_enter(ptr, i32) speculatable
; ERROR: gc.transition_enter is declared
declare void @gc.transition_enter(ptr, i32) speculatable
declare i64 @native(i64)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" {
  %r = call i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
  store i64 %r, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
;--- declare void @gc.transition_enter(ptr, i32) noreturn
; ERROR: gc.transition_enter is declared
declare void @gc.transition_enter(ptr, i32) noreturn
declare i64 @native(i64)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" {
  %r = call i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
  store i64 %r, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
;--- gc.transition_leave is declared
; ERROR: gc.transition_leave is declared
declare void @gc.transition_leave(ptr, i32) memory(none)
declare i64 @native(i64)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" {
  %r = call i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
  store i64 %r, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
;--- declare void @gc.transition_leave(ptr
; ERROR: gc.transition_leave is declared
declare void @gc.transition_leave(ptr, i32) memory(read) nounwind willreturn
declare i64 @native(i64)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" {
  %r = call i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
  store i64 %r, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
;--- declare void @gc.transition_leave(ptr, i32) speculatable
; ERROR: gc.transition_leave is declared
declare void @gc.transition_leave(ptr, i32) speculatable
declare i64 @native(i64)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" {
  %r = call i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
  store i64 %r, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
;--- declare void @gc.transition_leave(ptr, i32) noreturn
; ERROR: gc.transition_leave is declared
declare void @gc.transition_leave(ptr, i32) noreturn
declare i64 @native(i64)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr %t) gc "statepoint-example" {
  %r = call i64 @native(i64 7) [ "gc-transition"(ptr %t, i32 3) ]
  store i64 %r, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
