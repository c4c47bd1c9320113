; Either may be missing; without both a root is LLVM's. Polls are placed where marked slots hold
; what is alive.
;--- leaves
; RUN: opt=0
; IR-NOT: llvm.gcroot
; IR=6: call void @gc.root_leave(ptr %
; RUN: opt={1,2,3}
; IR-NOT: llvm.gcroot
; RUN: opt=2 poll=call:stop safepoints=entry
; IR=1: call void @stop()
declare void @llvm.gcroot(ptr, ptr)
declare void @use(ptr)
declare void @gc.root_leave(ptr, ptr)
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
;--- %a = alloca ptr
; RUN: opt=0
; IR=2: call void @llvm.gcroot(
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
