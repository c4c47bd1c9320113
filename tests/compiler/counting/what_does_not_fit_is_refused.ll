; What does not fit is refused.
; RUN:
;--- void(ptr slot, ptr metadata)
; STATUS: invalid_gcroot
; ERROR: void(ptr slot, ptr metadata)
define i32 @gc.root_enter(ptr %s, ptr %m) {
  ret i32 0
}
;--- gc.root_leave
; STATUS: invalid_gcroot
; ERROR: gc.root_leave
@gc.root_leave = global i8 0
;--- gc.root_enter
; STATUS: invalid_gcroot
; ERROR: gc.root_enter
define internal ptr @pick() {
  ret ptr null
}
@gc.root_enter = ifunc void (ptr, ptr), ptr @pick
declare void @llvm.gcroot(ptr, ptr)
declare void @use(ptr)
@kind = external global i8
define i32 @f(ptr %p, i1 %c) gc "ocaml" personality ptr @handle {
entry:
  %a = alloca ptr
  %b = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  call void @llvm.gcroot(ptr %b, ptr @kind)
  store ptr %p, ptr %a
  store ptr %p, ptr %b
  br i1 %c, label %one, label %two
one:
  call void @use(ptr %p)
  ret i32 1
two:
  invoke void @use(ptr null) to label %fine unwind label %bad
fine:
  ret i32 2
bad:
  %x = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %x
}
declare i32 @handle(...)
;--- first block
; STATUS: invalid_gcroot
; ERROR: first block
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
define void @f() gc "ocaml" {
  br label %on
on:
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  ret void
}
;--- address space 0
; STATUS: codegen_failed
; ERROR: address space 0
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
define void @f() gc "ocaml" {
  %s = alloca ptr, addrspace(5)
  %c = addrspacecast ptr addrspace(5) %s to ptr
  call void @llvm.gcroot(ptr %c, ptr @kind)
  ret void
}
@kind = external global i8
;--- exceptions of Windows
; STATUS: codegen_failed
; ERROR: exceptions of Windows
declare void @llvm.gcroot(ptr, ptr)
declare void @use(ptr)
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
declare i32 @__CxxFrameHandler3(...)
define void @f() gc "ocaml" personality ptr @__CxxFrameHandler3 {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  invoke void @use(ptr null) to label %a unwind label %b
a:
  ret void
b:
  %x = cleanuppad within none []
  cleanupret from %x unwind to caller
}
;--- %s = catchswitch within none [label %h] unwind to caller
; STATUS: codegen_failed
; ERROR: exceptions of Windows
declare void @llvm.gcroot(ptr, ptr)
declare void @use(ptr)
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
declare i32 @__CxxFrameHandler3(...)
define void @f() gc "ocaml" personality ptr @__CxxFrameHandler3 {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  invoke void @use(ptr null) to label %a unwind label %b
a:
  ret void
b:
  %s = catchswitch within none [label %h] unwind to caller
h:
  %x = catchpad within %s [ptr null, i32 64, ptr null]
  catchret from %x to label %a
}
