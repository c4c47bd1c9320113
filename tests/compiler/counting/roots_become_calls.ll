; In all strategies: a call for each slot where the function begins, and on each way out of it.
;--- define i32 @f(ptr %p, i1 %c) gc "ocaml" personality ptr @handle
; RUN: opt=0
; IR-NOT: llvm.gcroot
; IR=3: call void @enter(ptr %
; IR=7: call void @leave(ptr %
; RUN: opt={1,2,3}
; IR-NOT: llvm.gcroot
; RUN: opt=2
; STACKMAP-NOT: "kind":"indirect"
; META=1: custom-roots
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
;--- define i32 @f(ptr %p, i1 %c) gc "erlang" personality ptr
; RUN: opt=0
; IR-NOT: llvm.gcroot
; IR=3: call void @enter(ptr %
; IR=7: call void @leave(ptr %
; RUN: opt={1,2,3}
; IR-NOT: llvm.gcroot
; RUN: opt=2
; STACKMAP-NOT: "kind":"indirect"
; META=1: custom-roots
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
@kind = external global i8
define i32 @f(ptr %p, i1 %c) gc "erlang" personality ptr @handle {
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
;--- define i32 @f(ptr %p, i1 %c) gc "shadow-stack" personality ptr
; RUN: opt=0
; IR-NOT: llvm.gcroot
; IR=3: call void @enter(ptr %
; IR=7: call void @leave(ptr %
; RUN: opt={1,2,3}
; IR-NOT: llvm.gcroot
; RUN: opt=2
; STACKMAP-NOT: "kind":"indirect"
; META=1: custom-roots
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
@kind = external global i8
define i32 @f(ptr %p, i1 %c) gc "shadow-stack" personality ptr @handle {
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
