; The shadow chain may be of a thread.
;--- 1
; RUN: shadow_chain=thread_local
; IR=1: @llvm_gc_root_chain = linkonce thread_local global ptr null
; RUN:
; IR-NOT: thread_local
declare void @g()
define void @f() gc "shadow-stack" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr null, ptr %a
  call void @g()
  ret void
}
declare void @llvm.gcroot(ptr, ptr)
;--- @llvm_gc_root_chain = external global ptr
; RUN: shadow_chain=thread_local opt=0
; IR=1: @llvm_gc_root_chain = external thread_local global ptr
@llvm_gc_root_chain = external global ptr
declare void @g()
define void @f() gc "shadow-stack" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr null, ptr %a
  call void @g()
  ret void
}
declare void @llvm.gcroot(ptr, ptr)
;--- llvm_gc_root_chain
; RUN: shadow_chain=thread_local
; STATUS: gc_mismatch
; ERROR: llvm_gc_root_chain
@llvm_gc_root_chain = global i8 0
declare void @g()
define void @f() gc "shadow-stack" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr null, ptr %a
  call void @g()
  ret void
}
declare void @llvm.gcroot(ptr, ptr)
