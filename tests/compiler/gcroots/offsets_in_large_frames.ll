; Offsets of ocaml's table have 16 bits: in a frame of 32 KB or more they are unsigned.
;--- without a frame pointer
; RUN: opt={0,2} safepoints=none
; ROOTS: 4400
; SAFEPOINT: "offset":35000,
; SAFEPOINT-NOT: "offset":-
; SAFEPOINT-NOT: "register":null
; DECODED-NOT: "offset":-
declare void @g(ptr, ptr)
@meta = constant i8 0
declare void @llvm.gcroot(ptr, ptr)
define void @f() gc "ocaml" {
  %a = alloca [300 x ptr]
  %b = alloca [4096 x ptr]
  %word = alloca ptr
  %more = alloca [3 x ptr]
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @llvm.gcroot(ptr %b, ptr @meta)
  call void @llvm.gcroot(ptr %word, ptr null)
  call void @llvm.gcroot(ptr %more, ptr @meta)
  call void @g(ptr %a, ptr %b)
  ret void
}
;--- with a frame pointer they may count from either
; RUN: opt=0 safepoints=none
; SAFEPOINT: "register":null
declare void @g(ptr)
@meta = constant i8 0
declare void @llvm.gcroot(ptr, ptr)
define void @f() "frame-pointer"="all" gc "ocaml" {
  %a = alloca [300 x ptr]
  %b = alloca [4096 x ptr]
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @llvm.gcroot(ptr %b, ptr @meta)
  call void @g(ptr %a)
  ret void
}
