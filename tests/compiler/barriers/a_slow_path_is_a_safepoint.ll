; A slow path is a safepoint.
; RUN: safepoints=none
;--- declare void @remember(ref)
; SAFEPOINTS callee=remember: 1
; STACKMAP=1: "roots":[{"base":
declare void @remember(ptr addrspace(1))
define void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  call void @remember(ptr addrspace(1) %o)
  ret void
}
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @f(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
;--- declare void @remember(ref) "gc-leaf-function"
; SAFEPOINTS callee=remember: 0
declare void @remember(ptr addrspace(1)) "gc-leaf-function"
define void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  call void @remember(ptr addrspace(1) %o)
  ret void
}
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @f(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
