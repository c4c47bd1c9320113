; LLVM's parser gives intrinsics of any type the name of their type, and crashes where that is a token.
; RUN:
; STATUS: parse_error
; ERROR: This intrinsic gives no token
; AT: token
;--- a result
declare token @llvm.experimental.gc.result.i1(token)
;--- a copy
declare token @llvm.ssa.copy.i1(token)
