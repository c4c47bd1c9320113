; Options without effect.
;--- ret i32 %x
; RUN: safepoints=none
; WARNING=1:
; WARNING: 'safepoints' has no effect
; RUN: poll=call:p
; WARNING=1:
; WARNING: 'poll' has no effect
; RUN: gc_registers=2
; WARNING=1:
; WARNING: 'gc_registers' has no effect
; RUN: remat=false
; WARNING=1:
; WARNING: 'remat' has no effect
; RUN: all_backedges=1
; WARNING=1:
; WARNING: 'all_backedges' has no effect
; RUN: split_backedges=1
; WARNING=1:
; WARNING: 'split_backedges' has no effect
; RUN: counted_loop_bits=16
; WARNING=1:
; WARNING: 'counted_loop_bits' has no effect
; RUN: safepoints=entry,backedge poll=module remat=true
; WARNING-NOT:
define i32 @f(i32 %x) {
  ret i32 %x
}
;--- with strategy
; RUN: poll=call:p gc_registers=2
; RUN: poll=call:p remat=false
; RUN: poll=call:p all_backedges=1
; RUN: poll=call:p split_backedges=1
; RUN: poll=call:p counted_loop_bits=16
; WARNING-NOT:
; RUN: poll=call:p safepoints=entry all_backedges=1
; RUN: poll=call:p safepoints=entry split_backedges=1
; RUN: poll=call:p safepoints=entry counted_loop_bits=16
; WARNING=1:
; WARNING: no function wants polls at backedges
; RUN: gc=coreclr safepoints=none
; WARNING=1:
; WARNING: 'gc' has no effect: every function has a strategy of its own
; RUN: poll=call:p safepoints=none
; WARNING=1:
; WARNING: no function wants polls
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
