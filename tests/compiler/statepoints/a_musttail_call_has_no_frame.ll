; A musttail call has no frame.
;--- call void @g()
; RUN: safepoints=none opt={0,2} target=x86_64-linux-gnu
; RUN: safepoints=entry,precall poll=call:stop opt=1 target=x86_64-linux-gnu
; OBJDUMP=1: jmp
; RUN: safepoints=none opt={0,2} target=aarch64-linux-gnu
; RUN: safepoints=entry,precall poll=call:stop opt=1 target=aarch64-linux-gnu
; OBJDUMP=1: /: b /
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS callee=h: 0
; SAFEPOINTS callee=g: 1
; RUN: safepoints=entry,precall poll=call:stop opt=1
; SAFEPOINTS callee=h: 0
; SAFEPOINTS callee=g: 1
; SAFEPOINTS reason=precall-poll: 2
declare void @g()
declare ptr addrspace(1) @h(ptr addrspace(1))
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  %r = musttail call ptr addrspace(1) @h(ptr addrspace(1) %p)
  ret ptr addrspace(1) %r
}
;--- "deopt" operands
; RUN: safepoints=none opt=0
; STATUS: cannot_rewrite
; ERROR: "deopt" operands
define void @f(i32 %n) gc "statepoint-example" {
  musttail call void @k(i32 %n) [ "deopt"(i32 %n) ]
  ret void
}
declare void @k(i32)
