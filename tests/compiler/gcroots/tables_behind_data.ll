; The frame table of ocaml follows the module's data: it begins at a word, whatever their size.
; RUN: opt={0,2} safepoints=none
; SAFEPOINTS: 1
; SYMBOL-NOT: /unnamed/
; SAME-AS: ir
@small = global i8 1
@odd = global [3 x i16] [i16 1, i16 2, i16 3]
declare void @g()
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %o) gc "ocaml" {
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %o, ptr %root
  call void @g()
  ret void
}
