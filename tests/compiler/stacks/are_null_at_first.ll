; Of the call before it escapes the slot is told as well where it is read first: one that nothing
; fills is null.
;--- %s = alloca [2 x ref]
; RUN: safepoints=none opt={0,2}
; IR=2: store ptr addrspace(1) null
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca [2 x ptr addrspace(1)]
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- %s = alloca [200 x ref]
; RUN: safepoints=none opt=2
; IR=1: call void @smd.clear(ptr %s, i64 200)
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca [200 x ptr addrspace(1)]
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- %s = alloca ref
; RUN: safepoints=none opt=2
; IR-NOT: store ptr addrspace(1) null
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %p, ptr %s
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
