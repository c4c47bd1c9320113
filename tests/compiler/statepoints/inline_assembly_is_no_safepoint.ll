; LLVM's rewrite would wrap it in a statepoint that does not verify, or die of it.
;--- call void asm sideeffect "nop", ""()
; RUN: safepoints=none
; SAFEPOINTS: 1
; META=1: "reproduce":"smc compile 
; RUN: safepoints=none verify=off
; SAFEPOINTS: 1
; RUN: safepoints=none
; ASM=1: 	nop

declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void asm sideeffect "nop", ""()
  call void @g()
  ret ptr addrspace(1) %p
}
;--- callbr void asm sideeffect "nop", "!i"() to label %a [label %a]
; RUN: safepoints=none
; SAFEPOINTS: 1
; META=1: "reproduce":"smc compile 
; RUN: safepoints=none verify=off
; SAFEPOINTS: 1
; RUN: safepoints=none
; ASM=1: 	nop

declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  callbr void asm sideeffect "nop", "!i"() to label %a [label %a]
a:
  call void @g()
  ret ptr addrspace(1) %p
}
;--- call void asm sideeffect "nop", ""() "gc-leaf-function"
; RUN: safepoints=none
; META=1: "reproduce":"opt-19
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void asm sideeffect "nop", ""() "gc-leaf-function"
  call void @g()
  ret ptr addrspace(1) %p
}
