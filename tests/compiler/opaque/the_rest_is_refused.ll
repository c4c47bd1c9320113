; The rest is refused.
;--- %e may be a derived pointer
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: %e may be a derived pointer
declare <2 x ptr addrspace(1)> @llvm.vector.reverse.v2p1(<2 x ptr addrspace(1)>)
declare void @g()
define <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %p, <2 x i64> %i) gc "statepoint-example" {
  %d = getelementptr i8, <2 x ptr addrspace(1)> %p, <2 x i64> %i
  %e = call <2 x ptr addrspace(1)> @llvm.vector.reverse.v2p1(<2 x ptr addrspace(1)> %d)
  call void @g()
  ret <2 x ptr addrspace(1)> %e
}
;--- declare void @out(ptr)
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: %e may be a derived pointer
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %e = call ptr addrspace(1) asm "", "=r,0"(ptr addrspace(1) %d)
  call void @g()
  ret ptr addrspace(1) %e
}
;--- is given to the call of take
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: is given to the call of take
declare void @take(ptr addrspace(1))
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %e = call ptr addrspace(1) asm "", "=r,0"(ptr addrspace(1) %d)
  call void @take(ptr addrspace(1) %e)
  ret ptr addrspace(1) null
}
;--- %e = call ref asm "", "=r,0"(ref %p)
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %e = call ptr addrspace(1) asm "", "=r,0"(ptr addrspace(1) %p)
  call void @g()
  ret ptr addrspace(1) %e
}
