; Frame pointers.
; RUN: safepoints=none frame_pointer=none target=x86_64-linux-gnu
; ASM-NOT: movq %rsp, %rbp
; RUN: safepoints=none frame_pointer=all target=x86_64-linux-gnu
; ASM=1: movq %rsp, %rbp
; RUN: safepoints=none frame_pointer=none target=aarch64-linux-gnu
; ASM-NOT: x29, sp, #
; RUN: safepoints=none frame_pointer=all target=aarch64-linux-gnu
; ASM=1: x29, sp, #
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  call void @g()
  ret ptr addrspace(1) %p
}
