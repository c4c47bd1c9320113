; LLVM makes loops of recursion, and would choose between what rounds return behind a
; deoptimization.
; RUN: opt={1,2,3,s} safepoints=none
; IR=1: elementtype(void (i64)) @__llvm_deoptimize
; IR-NOT: disable-tail-calls
declare i64 @llvm.experimental.deoptimize.i64(...)
define i64 @f(i64 %n) gc "statepoint-example" {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %stop, label %on
on:
  %m = sub i64 %n, 1
  %r = call i64 @f(i64 %m)
  ret i64 0
stop:
  %v = call i64 (...) @llvm.experimental.deoptimize.i64(i64 1) [ "deopt"(i64 %n) ]
  ret i64 %v
}
