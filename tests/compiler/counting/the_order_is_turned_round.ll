; The last slot first; and metadata goes with its slot.
; RUN: opt=0
; IR @f: @enter(ptr %a, ptr null)
; THEN: @enter(ptr %b, ptr @kind)
; THEN: @leave(ptr %b, ptr @kind)
; THEN: @leave(ptr %a, ptr null)
; THEN: ret i32 1
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
