; A patchpoint with a callee has room for the call.
;--- too little
; RUN: target=x86_64-linux-gnu opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: A patchpoint leaves room for 12 bytes, and the call that is written there has 13
; RUN: target=aarch64-linux-gnu opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: A patchpoint leaves room for 12 bytes, and the call that is written there has 16
declare i64 @llvm.experimental.patchpoint.i64(i64, i32, ptr, i32, ...)
define i64 @f(i64 %a) {
  %r = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 1, i32 12, ptr inttoptr (i64 4096 to ptr), i32 1, i64 %a)
  ret i64 %r
}
;--- as much as it needs
; RUN: target=x86_64-linux-gnu opt={0,2} safepoints=none
; STATUS: ok
declare i64 @llvm.experimental.patchpoint.i64(i64, i32, ptr, i32, ...)
define i64 @g(i64 %a) {
  %r = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 1, i32 13, ptr inttoptr (i64 4096 to ptr), i32 1, i64 %a)
  ret i64 %r
}
