; Erlang and ocaml tables.
; RUN:
;--- define void @one() gc "erlang" {
; STACKMAP=1: "format":"erlang"
; STACKMAP=4: "kind":"gcroot"
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
@meta = constant i32 5
define void @one() gc "erlang" {
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
define void @two() gc "erlang" {
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
;--- define void @two() gc "ocaml" {
; STACKMAP=1: "format":"ocaml"
; STACKMAP=4: "kind":"gcroot"
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
@meta = constant i32 5
define void @one() gc "ocaml" {
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
define void @two() gc "ocaml" {
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
;--- define void @one() gc "ocaml" {
; ROOTS: 2 2
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
@meta = constant i32 5
define void @one() gc "ocaml" {
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
