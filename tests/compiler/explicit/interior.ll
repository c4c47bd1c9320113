; An address within an object may be its own base, with a warning, unless no bases are asked for.
; RUN: opt=2 safepoints=none
; WARNING: relocates %d, an address within an object, as its own base
; RUN: opt=2 safepoints=none bases=none
; WARNING-NOT:
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32 immarg, i32 immarg)
declare void @collect()
define ptr addrspace(1) @f(ptr addrspace(1) %a) gc "statepoint-example" {
  %d = getelementptr i64, ptr addrspace(1) %a, i64 2
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %d) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}
