; Slots are promoted in functions that are not to be optimised.
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
; RUN: safepoints=none opt=2
; IR=2: noinline optnone
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) noinline optnone gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %p, ptr %s
  call void @g()
  %v = load ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
