; Ready made load.
;--- 1
; RUN: opt={0,1,2,3} safepoints=none barrier=load:heal:bad_bits
; IR=1: load i64, ptr @bad_bits
; RUN: opt={0,1,2,3} safepoints=none barrier=load:heal:0x3000000000000000
; IR=1: 3458764513820540928
; RUN: barrier=load:heal:bad_bits safepoints=none
; SAFEPOINTS callee=heal: 1
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
;--- declare ref @heal(ref, ref) "gc-leaf-function"
; RUN: barrier=load:heal:bad_bits safepoints=none
; SAFEPOINTS callee=heal: 0
declare ptr addrspace(1) @heal(ptr addrspace(1), ptr addrspace(1)) "gc-leaf-function"
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
