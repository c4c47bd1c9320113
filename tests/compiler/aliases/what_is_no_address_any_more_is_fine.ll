; What is no address any more is fine.
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
;--- %t = and i64 %n, 7
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = ptrtoint ptr addrspace(1) %p to i64
  %t = and i64 %n, 7
  call void @g()
  %z = icmp eq i64 %t, 0
  %q = select i1 %z, ptr addrspace(1) %p, ptr addrspace(1) null
  ret ptr addrspace(1) %q
}
;--- %r = addrspacecast ref %p to ptr
declare void @out(ptr)
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %r = addrspacecast ptr addrspace(1) %p to ptr
  call void @out(ptr %r)
  ret ptr addrspace(1) %p
}
;--- %h = mul i64 %n, 11400714819323198485
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %n = ptrtoint ptr addrspace(1) %p to i64
  %h = mul i64 %n, 11400714819323198485
  call void @g()
  store i64 %h, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
