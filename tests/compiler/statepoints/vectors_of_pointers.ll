; Vectors of pointers.
; RUN: safepoints=none
; ROOTS: 2
declare void @g()
define <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %v) gc "statepoint-example" {
  call void @g()
  ret <2 x ptr addrspace(1)> %v
}
