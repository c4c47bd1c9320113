; On x86-64 a statepoint does not tell a variadic function how many floating-point arguments it gets. The message names
; the option by which the call is no safepoint.
; RUN: opt={0,2} target=x86_64-linux-gnu safepoints=none
; STATUS: cannot_rewrite
; ERROR=1 @f: leaf=other
; RUN: opt={0,2} target=x86_64-linux-gnu safepoints=none leaf=other
; SAFEPOINTS @f: 0
; RUN: opt={0,2} target=aarch64-linux-gnu safepoints=none
; SAFEPOINTS @f: 1
declare i32 @other(ptr, ...)
define i32 @f(ptr addrspace(1) %p, double %d) gc "statepoint-example" {
  %c = call i32 (ptr, ...) @other(ptr null, double %d)
  ret i32 %c
}
