; To LLVM's rewrite it is a base of its own.
; RUN: safepoints=none opt={0,2}
; STATUS: safepoint_violation
; ERROR: call of g
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = ptrtoint ptr addrspace(1) %p to i64
  %m = or i64 %n, 1
  %q = inttoptr i64 %m to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %q
}
