; The tables of erlang and ocaml have one pointer a root: a struct is refused, and the refusal says what to do instead.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_gcroot
; ERROR @f: give each pointer an alloca and a mark of its own
declare void @llvm.gcroot(ptr, ptr)
@meta = external global i8
declare void @g()
define void @f(ptr %p) gc "ocaml" {
  %a = alloca { i64, ptr, ptr }
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @g()
  ret void
}
