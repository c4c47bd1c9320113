; Roots would be entered, and never left, or the other way round.
; RUN: opt={0,1,2,3}
;--- gc.root_enter is declared
; STATUS: invalid_gcroot
; ERROR: gc.root_enter is declared
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_enter(ptr, ptr) memory(none)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_enter(ptr
; STATUS: invalid_gcroot
; ERROR: gc.root_enter is declared
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_enter(ptr, ptr) memory(read) nounwind willreturn
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_enter(ptr, ptr) memory(argmem: readwrite)
; STATUS: invalid_gcroot
; ERROR: gc.root_enter is declared
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_enter(ptr, ptr) memory(argmem: readwrite)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_enter(ptr, ptr) speculatable
; STATUS: invalid_gcroot
; ERROR: gc.root_enter is declared
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_enter(ptr, ptr) speculatable
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_enter(ptr, ptr) noreturn
; STATUS: invalid_gcroot
; ERROR: gc.root_enter is declared
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_enter(ptr, ptr) noreturn
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- is declared nocapture
; STATUS: invalid_gcroot
; ERROR: is declared nocapture
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_enter(ptr nocapture, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- is declared readonly
; STATUS: invalid_gcroot
; ERROR: is declared readonly
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_enter(ptr readonly, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- is declared readnone
; STATUS: invalid_gcroot
; ERROR: is declared readnone
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_enter(ptr readnone, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- is declared writeonly
; STATUS: invalid_gcroot
; ERROR: is declared writeonly
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_enter(ptr writeonly, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- gc.root_leave is declared
; STATUS: invalid_gcroot
; ERROR: gc.root_leave is declared
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_leave(ptr, ptr) memory(none)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_leave(ptr
; STATUS: invalid_gcroot
; ERROR: gc.root_leave is declared
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_leave(ptr, ptr) memory(read) nounwind willreturn
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_leave(ptr, ptr) memory(argmem: readwrite)
; STATUS: invalid_gcroot
; ERROR: gc.root_leave is declared
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_leave(ptr, ptr) memory(argmem: readwrite)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_leave(ptr, ptr) speculatable
; STATUS: invalid_gcroot
; ERROR: gc.root_leave is declared
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_leave(ptr, ptr) speculatable
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_leave(ptr, ptr) noreturn
; STATUS: invalid_gcroot
; ERROR: gc.root_leave is declared
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_leave(ptr, ptr) noreturn
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_leave(ptr nocapture, ptr)
; STATUS: invalid_gcroot
; ERROR: is declared nocapture
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_leave(ptr nocapture, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_leave(ptr readonly, ptr)
; STATUS: invalid_gcroot
; ERROR: is declared readonly
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_leave(ptr readonly, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_leave(ptr readnone, ptr)
; STATUS: invalid_gcroot
; ERROR: is declared readnone
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_leave(ptr readnone, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- declare void @gc.root_leave(ptr writeonly, ptr)
; STATUS: invalid_gcroot
; ERROR: is declared writeonly
declare void @llvm.gcroot(ptr, ptr)
declare void @gc.root_leave(ptr writeonly, ptr)
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
;--- store volatile ptr %s, ptr @last
; IR=1: %a, ptr @last
declare void @llvm.gcroot(ptr, ptr)
@last = global ptr null
define internal void @gc.root_enter(ptr nocapture readnone %s, ptr %m) memory(none) nounwind willreturn {
  store volatile ptr %s, ptr @last
  ret void
}
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr @kind)
  call void @g(ptr %a)
  ret void
}
@kind = external global i8
