; References without a strategy.
;--- strategyless
; RUN:
; WARNING=1:
; WARNING: gc=NAME sets one
; WARNING: address space 1
; RUN: gc=statepoint-example poll=call:p
; WARNING-NOT:
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) {
  call void @g()
  ret ptr addrspace(1) %p
}
;--- ret void
; RUN:
; WARNING=1:
; WARNING: gc.safepoint_poll, but no function has a GC strategy
define void @gc.safepoint_poll() {
  ret void
}
define void @f() {
  ret void
}
;--- ret [2 x {i32, ref}] %p
; RUN:
; WARNING=1:
; WARNING: gc=NAME sets one
define [2 x {i32, ptr addrspace(1)}] @f([2 x {i32, ptr addrspace(1)}] %p) {
  ret [2 x {i32, ptr addrspace(1)}] %p
}
;--- ret i32 %x
; RUN:
; WARNING-NOT:
define i32 @f(i32 %x) {
  ret i32 %x
}
