; Indirect callees.
; RUN: safepoints=none
; SAFEPOINTS callee=indirect: 1
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %callee) gc "statepoint-example" {
  call void %callee()
  ret ptr addrspace(1) %p
}
