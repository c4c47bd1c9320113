; Of atomicrmw LLVM says that its base is that of the place.
;--- rmw
; RUN: safepoints=none opt={0,2}
; ROOTS: 1
; RUN: safepoints=none opt=2
; IR-NOT: ; (%e, %e)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %e = atomicrmw xchg ptr addrspace(1) %p, ptr addrspace(1) null seq_cst
  call void @g()
  ret ptr addrspace(1) %e
}
;--- %s = cmpxchg ref %p, ref null, ref %p seq_cst seq_cst
; RUN: safepoints=none opt=2
; ROOTS: 1
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = cmpxchg ptr addrspace(1) %p, ptr addrspace(1) null, ptr addrspace(1) %p seq_cst seq_cst
  call void @g()
  %e = extractvalue { ptr addrspace(1), i1 } %s, 0
  ret ptr addrspace(1) %e
}
