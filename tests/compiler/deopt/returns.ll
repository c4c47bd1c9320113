; A function that says so returns what the runtime gives for its frame; the state is recorded as ever.
;--- It says so.
; RUN: opt={0,2} safepoints=none
; SAFEPOINTS @f: 1
; SAFEPOINT @f callee=rt_deopt: "deopt"
; UNDEFINED: rt_deopt
; DISASM @f: ret
; SAME-AS: ir
declare ptr addrspace(1) @llvm.experimental.deoptimize.p1(...)
define ptr addrspace(1) @f(ptr %th, ptr addrspace(1) %a) "smd-deoptimize"="rt_deopt" gc "statepoint-example" {
  %v = call ptr addrspace(1) (...) @llvm.experimental.deoptimize.p1(ptr %th) [ "deopt"(i64 1, ptr addrspace(1) %a) ]
  ret ptr addrspace(1) %v
}
;--- Another one does not.
; RUN: opt={0,2} safepoints=none
; STATUS: gc_mismatch
; ERROR @g: without the attribute "smd-deoptimize"
declare i64 @llvm.experimental.deoptimize.i64(...)
define i64 @f() "smd-deoptimize"="rt_deopt" gc "statepoint-example" {
  %v = call i64 (...) @llvm.experimental.deoptimize.i64() [ "deopt"(i64 1) ]
  ret i64 %v
}
define i64 @g() gc "statepoint-example" {
  %v = call i64 (...) @llvm.experimental.deoptimize.i64() [ "deopt"(i64 2) ]
  ret i64 %v
}
;--- Without the attribute nothing comes back.
; RUN: opt={0,2} safepoints=none
; UNDEFINED: __llvm_deoptimize
; DISASM-NOT @f: ret
declare i64 @llvm.experimental.deoptimize.i64(...)
define i64 @f() gc "statepoint-example" {
  %v = call i64 (...) @llvm.experimental.deoptimize.i64() [ "deopt"(i64 1) ]
  ret i64 %v
}
