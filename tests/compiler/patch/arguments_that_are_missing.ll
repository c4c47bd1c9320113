; A patchpoint that counts more arguments than it has: LLVM would read beyond its operands.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: arguments of its call follow, and has 1 more operands
;--- more by one
declare i64 @llvm.experimental.patchpoint.i64(i64, i32, ptr, i32, ...)
define i64 @f(i64 %a) {
  %r = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 1, i32 16, ptr null, i32 2, i64 %a)
  ret i64 %r
}
;--- a negative number
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define void @f(i64 %a) {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 1, i32 16, ptr null, i32 -1, i64 %a)
  ret void
}
