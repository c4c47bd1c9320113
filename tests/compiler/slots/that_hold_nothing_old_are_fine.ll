; What is not read again, is written anew, or is told to the collector.
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
;--- %v = load ref, ptr %s
declare void @g()
declare void @peek(ptr nocapture) "gc-leaf-function"
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  call void @peek(ptr %s)
  %v = load ptr addrspace(1), ptr %s
  call void @g()
  ret ptr addrspace(1) %v
}
;--- store volatile ref %p, ptr %s
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  store volatile ptr addrspace(1) %p, ptr %s
  call void @g()
  store volatile ptr addrspace(1) %p, ptr %s
  %v = load volatile ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
;--- %s = alloca [8 x i64]
declare void @out(ptr)
declare void @peek(ptr nocapture) "gc-leaf-function"
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca [8 x i64]
  call void @out(ptr %s)
  call void @peek(ptr %s)
  ret ptr addrspace(1) %p
}
