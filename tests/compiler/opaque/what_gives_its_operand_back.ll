; What gives its operand back.
; RUN: safepoints=none opt={0,2} remat=false
;--- %e = call ref @llvm.launder.invariant.group.p1(ref %d)
; IR=2: ; (%p
declare ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1))
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %e = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %d)
  call void @g()
  ret ptr addrspace(1) %e
}
;--- %e = call ref @llvm.strip.invariant.group.p1(ref %d)
; IR=2: ; (%p
declare ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1))
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %e = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %d)
  call void @g()
  ret ptr addrspace(1) %e
}
;--- %e = call ref @same(ref %d)
; IR=4: ; (%p
declare ptr addrspace(1) @same(ptr addrspace(1) returned)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %e = call ptr addrspace(1) @same(ptr addrspace(1) %d)
  call void @g()
  ret ptr addrspace(1) %e
}
;--- %e = call ref @llvm.ptrmask.p1.i64(ref %p, i64 -16)
; IR=2: ; (%p
declare ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1), i64)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %e = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %p, i64 -16)
  call void @g()
  ret ptr addrspace(1) %e
}
