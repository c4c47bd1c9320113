; On AArch64 the room that a record's call leaves is whole instructions.
; RUN: target=aarch64-linux-gnu opt={0,2} safepoints=none
; WARNING=3: on AArch64 it is 8, as instructions have 4
; SAME-AS: ir
; RUN: target=x86_64-linux-gnu opt={0,2} safepoints=none
; WARNING-NOT:
declare void @f()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @a(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @f() "statepoint-num-patch-bytes"="5"
  ret void
}
define void @b() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 7, ptr elementtype(void ()) @f, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define void @c() {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1, i32 5)
  ret void
}
