; Erlang says its arity.
;--- define void @f() gc "erlang" {
; RUN:
; STACKMAP=1: "stack_arity":0
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
@meta = constant i32 5
define void @f() gc "erlang" {
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
;--- define void @f() gc "ocaml" {
; RUN:
; STACKMAP-NOT: "stack_arity"
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
@meta = constant i32 5
define void @f() gc "ocaml" {
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
;--- define void @f(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4
; RUN: target={x86_64-linux-gnu,aarch64-linux-gnu}
; STACKMAP=1: "stack_arity":0,
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5) gc "erlang" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr null, ptr %a
  call void @g()
  ret void
}
;--- define void @f(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4
; RUN: target=x86_64-linux-gnu
; STACKMAP=1: "stack_arity":1,
; RUN: target=aarch64-linux-gnu
; STACKMAP=1: "stack_arity":0,
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6) gc "erlang" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr null, ptr %a
  call void @g()
  ret void
}
;--- %a = alloca ptr
; RUN: target=x86_64-linux-gnu
; STACKMAP=1: "stack_arity":2,
; RUN: target=aarch64-linux-gnu
; STACKMAP=1: "stack_arity":0,
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i64 %a7) gc "erlang" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr null, ptr %a
  call void @g()
  ret void
}
;--- call void @llvm.gcroot(ptr %a, ptr null)
; RUN: target=x86_64-linux-gnu
; STACKMAP=1: "stack_arity":3,
; RUN: target=aarch64-linux-gnu
; STACKMAP=1: "stack_arity":1,
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i64 %a7, i64 %a8) gc "erlang" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr null, ptr %a
  call void @g()
  ret void
}
;--- store ptr null, ptr %a
; RUN: target=x86_64-linux-gnu
; STACKMAP=1: "stack_arity":4,
; RUN: target=aarch64-linux-gnu
; STACKMAP=1: "stack_arity":2,
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i64 %a7, i64 %a8, i64 %a9) gc "erlang" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr null, ptr %a
  call void @g()
  ret void
}
;--- call void @g()
; RUN: target=x86_64-linux-gnu
; STACKMAP=1: "stack_arity":5,
; RUN: target=aarch64-linux-gnu
; STACKMAP=1: "stack_arity":3,
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i64 %a7, i64 %a8, i64 %a9, i64 %a10) gc "erlang" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr null, ptr %a
  call void @g()
  ret void
}
