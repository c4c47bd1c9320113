; A leaf asks for no record, and calls nothing that has safepoints.
; RUN: safepoints=none
; STATUS: cannot_rewrite
declare void @g()

;--- a call with deopt values
; ERROR @t: the call of g in it asks for a record
define void @t(ptr addrspace(1) %p) "gc-leaf-function" gc "statepoint-example" {
  call void @g() [ "deopt"(i32 1) ]
  ret void
}

;--- an explicit statepoint
; ERROR @t: the call of g in it asks for a record
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
define void @t(ptr addrspace(1) %p) "gc-leaf-function" gc "statepoint-example" {
  %s = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}

;--- a call of a function that has some
; ERROR @t: calls u, which has safepoints
define void @u() noinline gc "statepoint-example" {
  call void @g()
  ret void
}
define void @t(ptr addrspace(1) %p) "gc-leaf-function" gc "statepoint-example" {
  call void @u()
  ret void
}
