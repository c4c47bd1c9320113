; It never returns: no poll comes behind it, of whatever kind.
; RUN: poll={call:p,page:a}
; SAFEPOINTS callee=__llvm_deoptimize: 1
; RUN: poll={call:p,flag:a:b,page:a} safepoints=return
; SAFEPOINTS @f: 1
; RUN: poll=flag:a:b
; SAFEPOINTS callee=__llvm_deoptimize: 1
; SAFEPOINTS @f: 1
declare i32 @llvm.experimental.deoptimize.i32(...)
define i32 @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %v = call i32 (...) @llvm.experimental.deoptimize.i32() ["deopt"(i32 0, ptr addrspace(1) %p)]
  ret i32 %v
}
