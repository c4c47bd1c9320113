; Where LLVM tells which root is whose: always where all have the same, and from opt=1 on.
;--- 1
; RUN:
; STACKMAP=2: }},{"base"
; STACKMAP=2: "metadata":{"symbol":"meta","addend":0}}]
; RUN: opt=0
; STACKMAP=2: "metadata":{"symbol":"meta","addend":0}
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
; STACKMAP=2: }},{"base"
; STACKMAP=2: "metadata":{"symbol":"meta","addend":0}}]
; RUN: opt=0
; STACKMAP=2: "metadata":{"symbol":"meta","addend":0}
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
;--- call void @llvm.gcroot(ptr %a, ptr getelementptr (i8
; RUN: opt=0
; STACKMAP=2: "metadata":{"symbol":"meta","addend":2}
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
@meta = constant i32 5
define void @f() gc "erlang" {
  %a = alloca ptr
  %b = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr getelementptr (i8, ptr @meta, i64 2))
  call void @llvm.gcroot(ptr %b, ptr getelementptr (i8, ptr @meta, i64 2))
  call void @g()
  ret void
}
;--- call void @llvm.gcroot(ptr %a, ptr inttoptr (i64 77 to ptr))
; RUN: opt=0
; STACKMAP=1: "metadata":{"symbol":null,"addend":77}
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
@meta = constant i32 5
define void @f() gc "erlang" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr inttoptr (i64 77 to ptr))
  call void @g()
  ret void
}
