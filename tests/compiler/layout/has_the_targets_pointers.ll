; Layout has the targets pointers.
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_module
;--- address space 1 have 4 bytes
; ERROR: address space 1 have 4 bytes
target datalayout = "e-p1:32:32-i64:64"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
;--- order of bytes
; ERROR: order of bytes
target datalayout = "E-i64:64"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
