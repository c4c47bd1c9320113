; What does not go together.
;--- llvm.gcroot
; RUN: safepoints=none
; STATUS: gc_mismatch
; ERROR: llvm.gcroot
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
@meta = constant i32 5
define void @f() gc "coreclr" {
  %a = alloca ptr
  %b = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  call void @llvm.gcroot(ptr %b, ptr @meta)
  store ptr null, ptr %a
  store ptr null, ptr %b
  call void @g()
  call void @g()
  ret void
}
;--- gc.statepoint
; RUN: safepoints=none
; STATUS: gc_mismatch
; ERROR: gc.statepoint
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "erlang" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}
;--- gcroot
; RUN: opt=0
; STATUS: invalid_module
; ERROR: gcroot
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %p) gc "shadow-stack" {
  call void @llvm.gcroot(ptr %p, ptr null)
  ret void
}
