; Another function takes it for an object's address: it is told as its own base.
; RUN: safepoints=none
;--- %x = call ref @field(ref %o)
; WARNING=1:
; WARNING: the result of field is derived from an object's address
declare void @g()
define ptr addrspace(1) @field(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  ret ptr addrspace(1) %d
}
define ptr addrspace(1) @use(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %o
}
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %x = call ptr addrspace(1) @field(ptr addrspace(1) %o)
  call void @g()
  ret ptr addrspace(1) %x
}
;--- %x = call ref @use(ref %d)
; WARNING=1:
; WARNING: argument 1 of the call of use is derived from an object's address
declare void @g()
define ptr addrspace(1) @field(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  ret ptr addrspace(1) %d
}
define ptr addrspace(1) @use(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %o
}
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %x = call ptr addrspace(1) @use(ptr addrspace(1) %d)
  ret ptr addrspace(1) %x
}
