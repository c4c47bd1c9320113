; Aliases by way of memory.
; RUN: safepoints=none opt={0,2}
; STATUS: safepoint_violation
;--- integer
; ERROR: ptrtoint
@here = global i64 0
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = ptrtoint ptr addrspace(1) %p to i64
  store i64 %n, ptr @here
  call void @g()
  %m = load i64, ptr @here
  %q = inttoptr i64 %m to ptr
  store i64 0, ptr %q
  ret ptr addrspace(1) null
}
;--- reference
; ERROR: load i64
@here = global i64 0
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  store ptr addrspace(1) %p, ptr @here
  %m = load i64, ptr @here
  call void @g()
  %q = inttoptr i64 %m to ptr
  store i64 0, ptr %q
  ret ptr addrspace(1) null
}
