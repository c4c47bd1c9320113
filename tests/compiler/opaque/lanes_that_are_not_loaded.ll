; Lanes that are not loaded.
; RUN: safepoints=none opt={0,2}
; ROOTS: 4
declare void @g()
declare <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p0(ptr, i32, <2 x i1>, <2 x ptr addrspace(1)>)
define <2 x ptr addrspace(1)> @f(ptr %a, <2 x i1> %m, <2 x ptr addrspace(1)> %p, i64 %i) gc "statepoint-example" {
  %d = getelementptr i8, <2 x ptr addrspace(1)> %p, i64 %i
  %e = call <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p0(ptr %a, i32 8, <2 x i1> %m, <2 x ptr addrspace(1)> %d)
  call void @g()
  ret <2 x ptr addrspace(1)> %e
}
