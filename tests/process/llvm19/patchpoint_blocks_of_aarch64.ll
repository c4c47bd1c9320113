; Arithmetic after a patchpoint, in its block, reads the mode of rounding, a register without a number: code generation
; ends.
; COMMAND: llc-19 -O2 -mtriple=aarch64-linux-gnu %s -o /dev/null
; FAULT: exit status -(6|11)
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define double @f(double %a, double %b) {
  call anyregcc void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 2, i32 16, ptr null, i32 0)
  %c = fadd double %a, %b
  ret double %c
}
