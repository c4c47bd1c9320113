; Spaces that nothing is of.
;--- with strategy
; RUN: spaces=2:32 safepoints=none
; WARNING=1:
; WARNING: nothing in the module is a pointer of such an address space
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
;--- compressed
; RUN: spaces=2:32 safepoints=none
; RUN: spaces=3:32,2:32 safepoints=none
; WARNING-NOT:
define ptr addrspace(2) @f(ptr addrspace(2) %p) gc "coreclr" {
  ret ptr addrspace(2) %p
}
