; Until LLVM 3.9 frontends left the live pointers to the rewrite: what comes out is what calls give.
;--- of 2017
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare token @llvm.experimental.gc.statepoint.p0f_i64i64f(i64, i32, i64 (i64)*, i32, i32, ...)
declare i64 @llvm.experimental.gc.result.i64(token)
define i64 @f(i64 (i64)* %g, i64 addrspace(1)* %p) gc "statepoint-example" {
  %t = call token (i64, i32, i64 (i64)*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_i64i64f(i64 7, i32 4, i64 (i64)* %g, i32 1, i32 0, i64 5, i32 0, i32 2, i64 -1, i64 addrspace(1)* %p)
  %r = call i64 @llvm.experimental.gc.result.i64(token %t)
  %v = load i64, i64 addrspace(1)* %p
  %s = add i64 %r, %v
  ret i64 %s
}
;--- does not list it
; RUN: safepoints=none
; STATUS: safepoint_violation
; ERROR: does not list it
declare token @llvm.experimental.gc.statepoint.p0f_isVoidf(i64, i32, void ()*, i32, i32, ...)
declare void @g()
define i64 @f(i64 addrspace(1)* %p, i8 addrspace(1)* %q) gc "statepoint-example" {
  %t = call token (i64, i32, void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %q)
  %v = load i64, i64 addrspace(1)* %p
  ret i64 %v
}
;--- today
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS: 1
define i64 @f(ptr %g, ptr addrspace(1) %p) gc "statepoint-example" {
  %r = call i64 %g(i64 5) "statepoint-id"="7" "statepoint-num-patch-bytes"="4" "smd-reason"="explicit" [ "deopt"(i64 -1, ptr addrspace(1) %p) ]
  %v = load i64, ptr addrspace(1) %p
  %s = add i64 %r, %v
  ret i64 %s
}
