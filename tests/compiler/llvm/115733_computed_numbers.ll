; A patchpoint or stackmap whose number, or count of bytes, is computed is refused: LLVM 19's verifier lets it pass, and its
; code generation crashes, or records whatever is in memory.
;--- the number of a stackmap
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: The number of a call of llvm.experimental.stackmap is no constant
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f(i64 %id) {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 %id, i32 0, i64 %id)
  ret void
}
;--- the shadow of a stackmap
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: The count of bytes of a call of llvm.experimental.stackmap is no constant
declare void @llvm.experimental.stackmap(i64, i32, ...)
define void @f(i32 %n) {
  %b = sub i32 %n, 65536
  %m = alloca i32, i32 %n
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 0, i32 %b, ptr %m)
  ret void
}
;--- the number of a patchpoint
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: The number of a call of llvm.experimental.patchpoint.void is no constant
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define void @f(i64 %id) {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 %id, i32 16, ptr null, i32 0)
  ret void
}
