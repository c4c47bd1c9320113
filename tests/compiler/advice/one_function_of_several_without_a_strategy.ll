; One function of several without a strategy.
; RUN: safepoints=none
;--- define ref @forgotten(ref %p)  {
; WARNING=1:
; WARNING: 'forgotten'
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}

define ptr addrspace(1) @forgotten(ptr addrspace(1) %p)  {
  call void @g()
  ret ptr addrspace(1) %p
}
;--- define ref @forgotten(ref %p) "gc-leaf-function" {
; WARNING-NOT:
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}

define ptr addrspace(1) @forgotten(ptr addrspace(1) %p) "gc-leaf-function" {
  call void @g()
  ret ptr addrspace(1) %p
}
