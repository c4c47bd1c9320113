; A slot that is only undeclared has no scope; with null_init it is a root throughout.
;--- as it is
; RUN: safepoints=none
; STATUS: invalid_gcroot
; ERROR: scoped_roots=null_init makes it a root throughout
declare void @g()
declare void @llvm.gc.undeclare(ptr)
define void @f() gc "statepoint-example" {
  %slot = alloca ptr addrspace(1)
  call void @g()
  call void @llvm.gc.undeclare(ptr %slot)
  ret void
}
;--- null at first
; RUN: opt={0,2} safepoints=none scoped_roots=null_init
; SAFEPOINTS: 1
declare void @g()
declare void @llvm.gc.undeclare(ptr)
define void @f() gc "statepoint-example" {
  %slot = alloca ptr addrspace(1)
  call void @g()
  call void @llvm.gc.undeclare(ptr %slot)
  ret void
}
;--- on a shadow stack
; RUN: opt={0,2} safepoints=none scoped_roots=null_init
; IR @f: llvm.gcroot
declare void @g()
declare void @llvm.gc.undeclare(ptr)
define void @f() gc "shadow-stack" {
  %slot = alloca ptr
  call void @g()
  call void @llvm.gc.undeclare(ptr %slot)
  ret void
}
