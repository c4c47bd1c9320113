; Explicit abstract and none in one module.
; RUN: safepoints=none
; STACKMAP=1: "reason":"explicit","callee":"g"
; STACKMAP=1: "id":77
; SAFEPOINTS reason=call: 2
; STACKMAP-NOT: "name":"plain"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  call void @g()
  ret ptr addrspace(1) %p
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @explicit() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 77, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define void @plain() {
  call void @g()
  ret void
}
