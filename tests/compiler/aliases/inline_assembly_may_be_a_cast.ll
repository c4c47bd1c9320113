; What another register of the same value gives.
; RUN: safepoints=none opt={0,2}
; STATUS: safepoint_violation
; ERROR: asm
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = call i64 asm "", "=r,0"(ptr addrspace(1) %p)
  call void @g()
  %q = inttoptr i64 %n to ptr
  store i64 0, ptr %q
  ret ptr addrspace(1) null
}
