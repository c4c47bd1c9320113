; More room than any patch needs is refused: LLVM would fill gigabytes.
; RUN: opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: bytes: it has at most 1048576
;--- of a patchpoint
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define void @f() {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 1, i32 -1, ptr null, i32 0)
  ret void
}
;--- of a stackmap
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f() {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1, i32 -1)
  ret void
}
;--- of a statepoint
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 1, i32 2147483647, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}
