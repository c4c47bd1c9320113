; Integers that become references.
;--- is kept across the call of g
; RUN: safepoints=none opt={0,2}
; STATUS: safepoint_violation
; ERROR: is kept across the call of g
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = load i64, ptr addrspace(1) %p
  call void @g()
  %q = inttoptr i64 %n to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
;--- %m = and i64 %n, -8
; RUN: safepoints=none opt={0,2}
; STATUS: safepoint_violation
; ERROR: is kept across the call of g
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = load i64, ptr addrspace(1) %p
  %m = and i64 %n, -8
  call void @g()
  %q = inttoptr i64 %m to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
;--- %n = shl i64 %i, 1
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = shl i64 %i, 1
  %m = or i64 %n, 1
  call void @g()
  %q = inttoptr i64 %m to ptr addrspace(1)
  %r = select i1 %c, ptr addrspace(1) %p, ptr addrspace(1) %q
  ret ptr addrspace(1) %r
}
;--- %n = load i64, ref %p
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = load i64, ptr addrspace(1) %p
  %q = inttoptr i64 %n to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %q
}
