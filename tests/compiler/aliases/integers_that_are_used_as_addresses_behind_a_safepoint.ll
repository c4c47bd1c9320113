; The optimiser sees through the plain ones, and makes references of them again.
; RUN: safepoints=none opt=0
; STATUS: safepoint_violation
;--- ptrtoint
; ERROR: ptrtoint
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = ptrtoint ptr addrspace(1) %p to i64
  call void @g()
  %q = inttoptr i64 %n to ptr addrspace(1)
  store i64 0, ptr addrspace(1) %q
  ret ptr addrspace(1) null
}
;--- call of g
; ERROR: call of g
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = ptrtoint ptr addrspace(1) %p to i64
  call void @g()
  %m = or i64 %n, 1
  %q = inttoptr i64 %m to ptr
  store i64 0, ptr %q
  ret ptr addrspace(1) null
}
;--- store i64
; ERROR: store i64
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = ptrtoint ptr addrspace(1) %p to i64
  call void @g()
  store i64 %n, ptr addrspace(1) null
  ret ptr addrspace(1) null
}
;--- inttoptr
; ERROR: inttoptr
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = ptrtoint ptr addrspace(1) %p to i64
  call void @g()
  %h = lshr i64 %n, 3
  %m = shl i64 %h, 3
  %q = inttoptr i64 %m to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
