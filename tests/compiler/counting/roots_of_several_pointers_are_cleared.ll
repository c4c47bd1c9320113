; All pointers of a root are null before it is entered.
;--- %a = alloca ptr, i32 4
; RUN: opt=0
; IR=1: store [4 x ptr] zeroinitializer, ptr %a
; RUN: opt={1,2,3}
; IR=1: i8 0, i64 32, i1 false)
declare void @llvm.gcroot(ptr, ptr)
declare void @enter(ptr, ptr)
declare void @leave(ptr, ptr)
define internal void @gc.root_enter(ptr %s, ptr %m) {
  call void @enter(ptr %s, ptr %m)
  ret void
}
define internal void @gc.root_leave(ptr %s, ptr %m) {
  call void @leave(ptr %s, ptr %m)
  ret void
}
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr, i32 4
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- %a = alloca [40 x ptr]
; RUN: opt={0,1,2,3}
; IR=1: i8 0, i64 320, i1 false)
declare void @llvm.gcroot(ptr, ptr)
declare void @enter(ptr, ptr)
declare void @leave(ptr, ptr)
define internal void @gc.root_enter(ptr %s, ptr %m) {
  call void @enter(ptr %s, ptr %m)
  ret void
}
define internal void @gc.root_leave(ptr %s, ptr %m) {
  call void @leave(ptr %s, ptr %m)
  ret void
}
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca [40 x ptr]
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- %a = alloca {i64, ptr, ptr}
; RUN: opt=0
; IR=1: zeroinitializer
; RUN: opt={1,2,3}
; IR=1: i64 24, i1 false)
declare void @llvm.gcroot(ptr, ptr)
declare void @enter(ptr, ptr)
declare void @leave(ptr, ptr)
define internal void @gc.root_enter(ptr %s, ptr %m) {
  call void @enter(ptr %s, ptr %m)
  ret void
}
define internal void @gc.root_leave(ptr %s, ptr %m) {
  call void @leave(ptr %s, ptr %m)
  ret void
}
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca {i64, ptr, ptr}
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- fixed size
; RUN:
; STATUS: invalid_gcroot
; ERROR: fixed size
declare void @g(ptr)
declare void @llvm.gcroot(ptr, ptr)
declare void @enter(ptr, ptr)
declare void @leave(ptr, ptr)
define internal void @gc.root_enter(ptr %s, ptr %m) {
  call void @enter(ptr %s, ptr %m)
  ret void
}
define internal void @gc.root_leave(ptr %s, ptr %m) {
  call void @leave(ptr %s, ptr %m)
  ret void
}
define void @f(i32 %n) gc "ocaml" {
  %a = alloca ptr, i32 %n
  call void @llvm.gcroot(ptr %a, ptr null)
  call void @g(ptr %a)
  ret void
}
