; Loads of references.
;--- load
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=load:heal:bad_bits opt={0,1,2,3}
; IR=1: load i64, ptr @bad_bits
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load ptr addrspace(1), ptr addrspace(1) %o
  ret ptr addrspace(1) %v
}
;--- %v = load <2 x ref>, ref %o
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=load:heal:bad_bits elide=none opt={0,1,2,3}
; IR=2: load i64, ptr @bad_bits
define <2 x ptr addrspace(1)> @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load <2 x ptr addrspace(1)>, ptr addrspace(1) %o
  ret <2 x ptr addrspace(1)> %v
}
;--- %v = load ref, ptr %o
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=load:heal:bad_bits opt={0,1,2,3}
; IR-NOT: @bad_bits
define ptr addrspace(1) @f(ptr %o) gc "statepoint-example" {
  %v = load ptr addrspace(1), ptr %o
  ret ptr addrspace(1) %v
}
;--- %v = load volatile ref, ref %s
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none
; IR=1: load volatile ptr addrspace(1), ptr addrspace(1) %o
define internal ptr addrspace(1) @gc.read_barrier(ptr addrspace(1) %o, ptr addrspace(1) %s) {
  %v = load volatile ptr addrspace(1), ptr addrspace(1) %s
  ret ptr addrspace(1) %v
}
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load ptr addrspace(1), ptr addrspace(1) %o
  ret ptr addrspace(1) %v
}
;--- leaf function
; RUN: barriers=auto safepoints=none barrier=load:heal:bad_bits
; STATUS: barrier_conflict
; ERROR: leaf function
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %x = atomicrmw xchg ptr addrspace(1) %o, ptr addrspace(1) %v seq_cst
  ret void
}
