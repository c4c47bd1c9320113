; A strategy without references.
;--- define ptr @f(ptr %p) gc "statepoint-example" {
; RUN: poll=call:p
; WARNING=1:
; WARNING: (ptr addrspace(1))
define ptr @f(ptr %p) gc "statepoint-example" {
  ret ptr %p
}
;--- define ptr @f(ptr %p) gc "shadow-stack" {
; RUN:
; WARNING=1:
; WARNING: llvm.gcroot
define ptr @f(ptr %p) gc "shadow-stack" {
  ret ptr %p
}
;--- with strategy
; RUN: poll=call:p
; WARNING-NOT:
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
