; The address that a patchpoint calls is a constant: of another one the code has bytes that nobody has set.
;--- A number, at level 0 as well.
; RUN: target=x86_64-linux-gnu opt={0,2}
; OBJDUMP @f: 0xDEADBEF0
; SAME-AS: fresh
declare i64 @llvm.experimental.patchpoint.i64(i64, i32, ptr, i32, ...)
define i64 @f(i64 %x) {
  %p = inttoptr i64 -559038736 to ptr
  %r = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 5, i32 15, ptr %p, i32 1, i64 %x)
  ret i64 %r
}
;--- A value.
; RUN: opt={0,2}
; STATUS: codegen_failed
; ERROR @f: The target of a patchpoint is no constant address
declare i64 @llvm.experimental.patchpoint.i64(i64, i32, ptr, i32, ...)
define i64 @f(ptr %p, i64 %x) {
  %r = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 5, i32 16, ptr %p, i32 1, i64 %x)
  ret i64 %r
}
;--- A function's name, on AArch64.
; RUN: target=aarch64-linux-gnu
; STATUS: codegen_failed
; ERROR @f: The target of a patchpoint is g
; RUN: target=x86_64-linux-gnu
; OBJDUMP @f: R_X86_64_64 g
declare i64 @llvm.experimental.patchpoint.i64(i64, i32, ptr, i32, ...)
declare i64 @g(i64)
define i64 @f(i64 %x) {
  %r = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 5, i32 16, ptr @g, i32 1, i64 %x)
  ret i64 %r
}
