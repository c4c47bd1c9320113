; Others are warned of.
; RUN: safepoints=none opt=2
;--- space
; WARNING=1: %o, of type ptr addrspace(2), is alive across the call of g
declare void @g()
define ptr addrspace(2) @f(ptr addrspace(2) %o, ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(2) %o
}
;--- the call of g lists %o
; WARNING=1: the call of g lists %o
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @g()
define ptr @f(ptr %o, ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr %o, ptr addrspace(1) %p) ]
  ret ptr %o
}
