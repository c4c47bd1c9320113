; Of LLVM 3.8: all operands of 2017, and a number for a token; without lists it looks like today's.
; What is said of a result (zeroext) stays.
;--- of 2015
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare i32 @llvm.experimental.gc.statepoint.p0f_i1f(i64, i32, i1 ()*, i32, i32, ...)
declare i1 @llvm.experimental.gc.result.i1(i32)
declare zeroext i1 @g()
define zeroext i1 @f() gc "statepoint-example" {
  %t = call i32 (i64, i32, i1 ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_i1f(i64 7, i32 0, i1 ()* @g, i32 0, i32 0, i32 0, i32 0)
  %r = call zeroext i1 @llvm.experimental.gc.result.i1(i32 %t)
  ret i1 %r
}
;--- today
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS: 1
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare i1 @llvm.experimental.gc.result.i1(token)
declare zeroext i1 @g()
define zeroext i1 @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(i1 ()) @g, i32 0, i32 0, i32 0, i32 0)
  %r = call zeroext i1 @llvm.experimental.gc.result.i1(token %t)
  ret i1 %r
}
