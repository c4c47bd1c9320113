; Slots are promoted at every level.
;--- %s = alloca ref
; RUN: safepoints=none opt=0
; ROOTS: 1
; META=2: default<O0>,function(sroa),rewrite
; RUN: safepoints=none opt={1,3,s}
; ROOTS: 1
; RUN: safepoints=none opt=2
; ROOTS: 1
; META-NOT: sroa
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %p, ptr %s
  call void @g()
  %v = load ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
;--- %s = alloca { i64, [2 x ref] }
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca { i64, [2 x ptr addrspace(1)] }
  %a = getelementptr { i64, [2 x ptr addrspace(1)] }, ptr %s, i64 0, i32 1, i64 1
  store ptr addrspace(1) %p, ptr %a
  call void @g()
  %v = load ptr addrspace(1), ptr %a
  ret ptr addrspace(1) %v
}
