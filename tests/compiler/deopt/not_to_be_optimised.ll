; LLVM dies of deoptimisation values in functions that are not to be optimised, and have no statepoints, at other levels.
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: ok
; DEFINED: deoptimizes
declare void @g()
declare ptr @llvm.experimental.deoptimize.p0(...)
define ptr @deoptimizes(ptr %state) optnone noinline {
  %v = call ptr (...) @llvm.experimental.deoptimize.p0(ptr %state) [ "deopt"(i64 1, ptr %state) ]
  ret ptr %v
}
define void @calls(ptr %state) optnone noinline gc "ocaml" {
  call void @g() [ "deopt"(ptr %state) ]
  ret void
}
