; The table of erlang has fields of 16 bits, and LLVM cuts off what is more.
;--- a frame that is larger than its field
; RUN: opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: 600008 bytes, and a table of strategy "erlang" has room for 491512
declare void @g(ptr)
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %p) gc "erlang" {
  %s = alloca ptr
  %large = alloca [600000 x i8]
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %p, ptr %s
  call void @g(ptr %large)
  ret void
}
;--- a frame of no fixed size
; RUN: opt={0,2} safepoints=none
; STATUS: codegen_failed
; ERROR @f: 400016 bytes, and a table of strategy "erlang" has room for 229368
declare void @g(ptr, ptr)
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %p) gc "erlang" {
  %s = alloca ptr
  %large = alloca [400000 x i8]
  %aligned = alloca i64, align 64
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %p, ptr %s
  call void @g(ptr %large, ptr %aligned)
  ret void
}
;--- one that fits
; RUN: opt=0 safepoints=none
; SAFEPOINT: "offset":40000
declare void @g(ptr)
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %p) gc "erlang" {
  %s = alloca ptr
  %large = alloca [400000 x i8]
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %p, ptr %s
  call void @g(ptr %large)
  ret void
}
