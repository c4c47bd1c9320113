; A statepoint has convention, arguments and their attributes; whatever else a call says it forgets.
;--- call of s has a swifterror argument
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: call of s has a swifterror argument
declare swiftcc void @s(ptr swifterror)
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %e = alloca swifterror ptr
  store ptr null, ptr %e
  call swiftcc void @s(ptr swifterror %e)
  ret ptr addrspace(1) %p
}
;--- call of s has an inalloca argument
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: call of s has an inalloca argument
declare void @s(ptr inalloca(i64))
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %e = alloca inalloca i64
  call void @s(ptr inalloca(i64) %e)
  ret ptr addrspace(1) %p
}
;--- call i64 (i64, ...) @w(i64 1, i64 2)
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare i64 @w(i64, ...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call i64 (i64, ...) @w(i64 1, i64 2)
  ret ptr addrspace(1) %p
}
;--- call of v is variadic and has floating-point
; RUN: safepoints=none opt={0,2} target=x86_64-linux-gnu
; STATUS: cannot_rewrite
; ERROR: call of v is variadic and has floating-point
declare void @v(i64, ...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call void (i64, ...) @v(i64 1, double 2.0)
  ret ptr addrspace(1) %p
}
;--- call void (i64, ...) @v(i64 1, i64 2)
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare void @v(i64, ...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call void (i64, ...) @v(i64 1, i64 2)
  ret ptr addrspace(1) %p
}
;--- call of g is "no_callee_saved_registers"
; RUN: safepoints=none opt={0,2} target=x86_64-linux-gnu
; STATUS: cannot_rewrite
; ERROR: call of g is "no_callee_saved_registers"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call void @g() "no_callee_saved_registers"
  ret ptr addrspace(1) %p
}
;--- is nocf_check
; RUN: safepoints=none opt={0,2} target=x86_64-linux-gnu
; STATUS: cannot_rewrite
; ERROR: is nocf_check
!llvm.module.flags = !{!0}
!0 = !{i32 8, !"cf-protection-branch", i32 1}
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %h = inttoptr i64 %i to ptr
  call void %h() nocf_check
  ret ptr addrspace(1) %p
}
;--- The callee is "aarch64_pstate_sm_enabled"
; RUN: safepoints=none opt={0,2} target=aarch64-linux-gnu
; STATUS: cannot_rewrite
; ERROR: The callee is "aarch64_pstate_sm_enabled"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call void @g() "aarch64_pstate_sm_enabled"
  ret ptr addrspace(1) %p
}
;--- The function is "aarch64_pstate_sm_enabled"
; RUN: safepoints=none opt={0,2} target=aarch64-linux-gnu
; STATUS: cannot_rewrite
; ERROR: The function is "aarch64_pstate_sm_enabled"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) "aarch64_pstate_sm_enabled" "target-features"="+sme" gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
