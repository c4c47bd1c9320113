; A message prints a cast as the module has it: without the marks that smd puts on casts.
; RUN: safepoints=none opt={0,2}
; STATUS: safepoint_violation
; ERROR: to ptr addrspace(1)' after the call of w
declare void @w()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %a = ptrtoint ptr addrspace(1) %p to i64
  call void @w()
  %b = inttoptr i64 %a to ptr addrspace(1)
  ret ptr addrspace(1) %b
}
