; Pointers of other address spaces.
; RUN: safepoints=none opt={0,2}
; STATUS: safepoint_violation
; ERROR: addrspacecast
;--- addrspacecast
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %r = addrspacecast ptr addrspace(1) %p to ptr
  call void @g()
  store i64 0, ptr %r
  ret ptr addrspace(1) null
}
;--- call void @out(ptr %r)
declare void @g()
declare void @out(ptr)
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %r = addrspacecast ptr addrspace(1) %p to ptr
  call void @g()
  call void @out(ptr %r)
  ret ptr addrspace(1) null
}
;--- %s = alloca ptr
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %r = addrspacecast ptr addrspace(1) %p to ptr
  %s = alloca ptr
  store ptr %r, ptr %s
  call void @g()
  %t = load ptr, ptr %s
  store i64 0, ptr %t
  ret ptr addrspace(1) null
}
