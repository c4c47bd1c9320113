; The entry poll of a function that deoptimizes at once would stand between the call and its return.
declare ptr addrspace(1) @llvm.experimental.deoptimize.p1(...)
define ptr addrspace(1) @f(ptr %th, ptr addrspace(1) %a) gc "statepoint-example" {
  %v = call ptr addrspace(1) (...) @llvm.experimental.deoptimize.p1(ptr %th) [ "deopt"(i64 1, ptr addrspace(1) %a) ]
  ret ptr addrspace(1) %v
}
;--- the service's polls
; RUN: opt={0,1,2,3} safepoints=entry poll={call:p,flag:flag:slow,page:page}
; SAFEPOINTS @f: 1
; DEOPTS @f: 2
;--- the module's
; RUN: opt={0,1,2,3} safepoints=entry
; SAFEPOINTS: 1
; DEOPTS: 2
declare void @q()
define void @gc.safepoint_poll() {
  call void @q()
  ret void
}
