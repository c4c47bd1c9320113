; Pointers may stay in registers.
; RUN: safepoints=none gc_registers=0
; STACKMAP-NOT: "kind":"register"
; RUN: safepoints=none gc_registers=4
; STACKMAP>=2: "kind":"register"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  call void @g()
  ret ptr addrspace(1) %p
}
