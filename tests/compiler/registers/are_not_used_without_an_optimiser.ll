; LLVM's register allocator of level 0 loses them.
; RUN: safepoints=none opt=0 gc_registers=4
; STACKMAP-NOT: "kind":"register"
; WARNING=1: taken as 0
; META-NOT: max-registers
; RUN: safepoints=none opt=1 gc_registers=4
; WARNING-NOT: taken as 0
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
