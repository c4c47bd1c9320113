; Garbage collection.
;--- did you mean 'statepoint-example'
; RUN:
; STATUS: unsupported_gc_strategy
; ERROR: did you mean 'statepoint-example'
define void @f() gc "statepoint-exemple" {
  ret void
}
;--- fine
; RUN: gc=nosuch
; STATUS: unsupported_gc_strategy
; ERROR: nosuch
define void @f() {
  ret void
}
;--- define void @needs() gc "statepoint-example" {
; RUN:
; STATUS: missing_safepoint_poll
; ERROR @needs:
define void @needs() gc "statepoint-example" {
  ret void
}
;--- gc.safepoint_poll
; RUN:
; STATUS: safepoint_poll_conflict
; ERROR: gc.safepoint_poll
define void @gc.safepoint_poll(i32 %x) {
  ret void
}
define void @f() gc "statepoint-example" {
  ret void
}
;--- 'f'
; RUN: poll=call:f
; STATUS: safepoint_poll_conflict
; ERROR: 'f'
declare i32 @f()
define void @g() gc "statepoint-example" {
  ret void
}
;--- llvm.gcroot
; RUN:
; STATUS: gc_mismatch
; ERROR: llvm.gcroot
declare void @llvm.gcroot(ptr, ptr)
define void @f() gc "statepoint-example" {
  %p = alloca ptr
  call void @llvm.gcroot(ptr %p, ptr null)
  ret void
}
;--- first block
; RUN: opt=0
; STATUS: invalid_gcroot
; ERROR: first block
declare void @llvm.gcroot(ptr, ptr)
define void @f(i1 %c) gc "shadow-stack" {
  br i1 %c, label %a, label %b
a:
  %p = alloca ptr
  call void @llvm.gcroot(ptr %p, ptr null)
  br label %b
b:
  ret void
}
;--- twice
; RUN:
; STATUS: invalid_gcroot
; ERROR: twice
@m = global i8 0
declare void @llvm.gcroot(ptr, ptr)
define void @f() gc "shadow-stack" {
  %p = alloca ptr
  call void @llvm.gcroot(ptr %p, ptr null)
  call void @llvm.gcroot(ptr %p, ptr @m)
  ret void
}
