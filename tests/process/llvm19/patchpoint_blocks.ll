; A call after a patchpoint, in its block, reads the shadow stack's pointer, a register without a number: code generation
; crashes.
; COMMAND: llc-19 -O2 -mtriple=x86_64-linux-gnu %s -o /dev/null
; FAULT: exit status -11
declare void @g()
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define void @f(i64 %v) {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 1, i32 16, ptr null, i32 0, i64 %v)
  call void @g()
  ret void
}
