; LLVM's parser gives intrinsics of any type the name of their type, and crashes where that is a token.
; RUN:
; STATUS: parse_error
; ERROR: This intrinsic neither gives nor takes a token
; AT: token
;--- a result
declare token @llvm.experimental.gc.result.i1(token)
;--- a copy
declare token @llvm.ssa.copy.i1(token)
;--- a parameter
declare i1 @llvm.is.constant.i64(token)
;--- another target's
declare token @llvm.amdgcn.readfirstlane.i64(i64)
;--- before the parameters of a function with any number of them
define void @f() {
  %t = call token (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint(i64 0, i32 0, ptr null, i32 0)
  ret void
}
;--- behind a comment
declare token ; @llvm.ssa.copy(
  @llvm.ssa.copy(i64)
;--- a parameter behind a bracket in a comment
declare i1 @llvm.is.constant(; )
  token)
;--- a name in quotes
declare i1 @"llvm.is.constant"(token)
;--- a name with an escape
declare i1 @"\6clvm.is.constant"(token)
;--- a comment behind the name
declare i1 @llvm.is.constant ; (i64)
  (token)
;--- in a call of what is declared nowhere
define i1 @f() {
  %x = call i1 @llvm.is.constant(                                                                          token none)
  ret i1 %x
}
