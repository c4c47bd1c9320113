; The object is made by llc of the module.
; RUN: safepoints=none
; META=1: smc compile --quiet --ir=-
; IR=1: call ptr addrspace(1) @llvm.experimental.gc.relocate
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  ret ptr addrspace(1) %p
}
