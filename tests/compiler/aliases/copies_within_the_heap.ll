; An integer of eight bytes would be forwarded across a call that changes no such memory.
; RUN: safepoints=none opt={0,2}
; ROOTS: 2
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare ptr addrspace(1) @new() memory(inaccessiblemem: readwrite) nounwind
define ptr addrspace(1) @f(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c) gc "statepoint-example" {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 8 %b, ptr addrspace(1) align 8 %a, i64 8, i1 false)
  %n = call ptr addrspace(1) @new()
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 8 %c, ptr addrspace(1) align 8 %a, i64 8, i1 false)
  ret ptr addrspace(1) %n
}
