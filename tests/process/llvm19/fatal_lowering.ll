; Floating-point arithmetic behind a patchpoint has AArch64 die of the registers that are alive.
; COMMAND: llc-19 -mtriple=aarch64-linux-gnu -filetype=obj %s -o /dev/null
; FAULT: exit status -[1-9]
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define double @f(i32 %n) {
  call anyregcc void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 0, i32 0, ptr null, i32 0)
  %d = sitofp i32 %n to double
  ret double %d
}
