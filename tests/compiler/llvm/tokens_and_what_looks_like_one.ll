; Intrinsics of tokens that are as LLVM defines them; and names and texts that only look like a token.
; RUN:
; STATUS: ok
declare token @llvm.call.preallocated.setup(i32)
declare i1 @llvm.is.constant.p0(ptr)
@token = global i8 0
define i1 @g(ptr %token) {
  %a = call i1 @llvm.is.constant.p0(ptr %token)
  %b = call i1 @llvm.is.constant.p0(ptr @token)
  %c = call i1 @llvm.is.constant.p0(ptr @"token")
  %d = and i1 %a, %b
  %e = and i1 %c, %d
  ret i1 %e
}
