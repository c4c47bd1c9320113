; In tables of roots a slot is one throughout, and null outside its scope.
;--- define void @f(ptr %p) gc "shadow-stack" {
; RUN: opt=0
; IR=1: call void @llvm.gcroot(ptr %a, ptr @meta)
; IR=2: store ptr null, ptr %a
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
declare void @use(ptr)
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p) gc "shadow-stack" {
  %a = alloca ptr
  store ptr %p, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @use(ptr %a)
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  ret void
}
;--- define void @f(ptr %p) gc "erlang" {
; RUN: opt=0
; IR=1: call void @llvm.gcroot(ptr %a, ptr @meta)
; IR=2: store ptr null, ptr %a
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
declare void @use(ptr)
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p) gc "erlang" {
  %a = alloca ptr
  store ptr %p, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @use(ptr %a)
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  ret void
}
;--- define void @f(ptr %p) gc "ocaml" {
; RUN: opt=0
; IR=1: call void @llvm.gcroot(ptr %a, ptr @meta)
; IR=2: store ptr null, ptr %a
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
declare void @use(ptr)
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  store ptr %p, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @use(ptr %a)
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  ret void
}
;--- pointer type
; RUN:
; STATUS: invalid_gcroot
; ERROR: pointer type
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "erlang" {
entry:
  %s = alloca [8 x i8]
  call void @llvm.gc.declare(ptr %s, ptr @meta)
  call void @g()
  ret void
}
