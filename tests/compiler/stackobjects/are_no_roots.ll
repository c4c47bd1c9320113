; Where a record would list the slot's address, the collector would take the slot for one of its objects.
; RUN: opt={0,2} safepoints=none
; STATUS: cannot_rewrite
declare void @work()
declare void @take(ptr addrspace(1))
declare void @keep(ptr) "gc-leaf-function"
;--- given to a call
; ERROR @f: %r is the address of a stack slot, cast into a GC pointer, and is given to the call of take
define void @f() gc "statepoint-example" {
  %s = alloca i64
  %r = addrspacecast ptr %s to ptr addrspace(1)
  call void @take(ptr addrspace(1) %r)
  ret void
}
;--- one of two
; ERROR @f: %r is the address of a stack slot, cast into a GC pointer, and stays alive across the call of work
define i64 @f(i1 %c, ptr addrspace(1) %h) gc "statepoint-example" {
  %s = alloca i64
  call void @keep(ptr %s)
  %r = addrspacecast ptr %s to ptr addrspace(1)
  %e = select i1 %c, ptr addrspace(1) %r, ptr addrspace(1) %h
  call void @work()
  %w = load volatile i64, ptr addrspace(1) %e
  ret i64 %w
}
;--- stored in an object
; ERROR @f: hands it on; load and store by way of it
define void @f(ptr addrspace(1) %h) gc "statepoint-example" {
  %s = alloca i64
  call void @keep(ptr %s)
  %r = addrspacecast ptr %s to ptr addrspace(1)
  store ptr addrspace(1) %r, ptr addrspace(1) %h
  ret void
}
;--- returned
; ERROR @f: hands it on; load and store by way of it
define ptr addrspace(1) @f() gc "statepoint-example" {
  %s = alloca i64
  call void @keep(ptr %s)
  %r = addrspacecast ptr %s to ptr addrspace(1)
  ret ptr addrspace(1) %r
}
