; A root of the shadow stack may be any alloca of fixed size, and is null throughout when the frame
; is pushed.
; RUN: safepoints=none opt={0,1,2,3}
;--- 1
; IR=1: alloca [4 x ptr]
; IR=1: store [4 x ptr] zeroinitializer, ptr %a
@meta = external global i8
declare void @llvm.gcroot(ptr, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "shadow-stack" {
  %a = alloca ptr, i32 4
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @g(ptr %p)
  store ptr %p, ptr %a
  call void @g(ptr %p)
  ret void
}
;--- %a = alloca {i64, ptr, ptr}
; IR=1: ptr } zeroinitializer, ptr %a
@meta = external global i8
declare void @llvm.gcroot(ptr, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "shadow-stack" {
  %a = alloca {i64, ptr, ptr}
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @g(ptr %p)
  store ptr %p, ptr %a
  call void @g(ptr %p)
  ret void
}
;--- %a = alloca [4000 x ptr]
; IR=1: i8 0, i64 32000, i1 false)
@meta = external global i8
declare void @llvm.gcroot(ptr, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "shadow-stack" {
  %a = alloca [4000 x ptr]
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @g(ptr %p)
  store ptr %p, ptr %a
  call void @g(ptr %p)
  ret void
}
