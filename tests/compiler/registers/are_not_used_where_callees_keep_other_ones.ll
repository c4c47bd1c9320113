; A callee that keeps more registers than C's do would leave references in some that no walk knows.
; RUN: safepoints=none opt=1 gc_registers=4
;--- taken as 0
; STACKMAP-NOT: "kind":"register"
; WARNING=1: taken as 0
declare preserve_mostcc void @h()
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call preserve_mostcc void @h()
  ret ptr addrspace(1) %p
}
;--- call fastcc void @g()
; WARNING-NOT: taken as 0
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call fastcc void @g()
  ret ptr addrspace(1) %p
}
