; Allocas are regions.
; RUN: safepoints=none opt=0
; STACKMAP=1: "regions":[{"kind":"direct"
declare void @g(ptr)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  store ptr addrspace(1) null, ptr %a
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void (ptr)) @g, i32 1, i32 0, ptr %a, i32 0, i32 0) [ "gc-live"(ptr %a) ]
  ret void
}
