; The tables of erlang and ocaml list each pointer of a root, with the root's metadata.
; RUN: opt={0,2} safepoints=none gc={erlang,ocaml}
;--- each pointer has a place of its own
; SAFEPOINT @f: /("base":\{[^}]*\},"derived":\{[^}]*\}[^}]*\}.*){4}/
; SAFEPOINT-NOT @f: /("base":\{[^}]*\},"derived":\{[^}]*\}[^}]*\}.*){5}/
; SAFEPOINT=3 @f: "symbol":"meta"
declare void @llvm.gcroot(ptr, ptr)
@meta = external global i8
declare void @g()
define void @f(ptr %p) {
  %b = alloca { i64, ptr, [2 x ptr] }
  %a = alloca i64
  call void @llvm.gcroot(ptr %b, ptr @meta)
  call void @llvm.gcroot(ptr %a, ptr @f)
  call void @g()
  ret void
}
;--- several pointers need no metadata
; SAFEPOINT @f: /("base":\{[^}]*\},"derived":\{[^}]*\}[^}]*\}.*){3}/
declare void @llvm.gcroot(ptr, ptr)
declare void @g()
define void @f(ptr %p) {
  %a = alloca ptr, i32 3
  call void @llvm.gcroot(ptr %a, ptr null)
  call void @g()
  ret void
}
;--- a large one is cleared behind all others
; SAFEPOINT @f: "base"
declare void @llvm.gcroot(ptr, ptr)
@meta = external global i8
declare void @g()
define void @f(ptr %p) {
  %a = alloca { i64, ptr }
  %b = alloca [20 x ptr]
  %c = alloca { ptr, ptr }
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @llvm.gcroot(ptr %b, ptr @meta)
  call void @llvm.gcroot(ptr %c, ptr @meta)
  call void @g()
  ret void
}
;--- what has no words is refused
; STATUS: invalid_gcroot
; ERROR @f: %a has a pointer that is not aligned to a word, and a table of strategy
declare void @llvm.gcroot(ptr, ptr)
@meta = external global i8
declare void @g()
define void @f(ptr %p) {
  %a = alloca <{ i32, ptr }>
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @g()
  ret void
}
;--- what nobody knows the contents of is refused
; STATUS: invalid_gcroot
; ERROR @f: %a has no pointer, and is no word, and a table of strategy
declare void @llvm.gcroot(ptr, ptr)
@meta = external global i8
declare void @g()
define void @f(ptr %p) {
  %a = alloca [16 x i8]
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @g()
  ret void
}
;--- assembly has no place for them
; RUN: opt={0,2} safepoints=none gc={erlang,ocaml} emit=asm
; STATUS: codegen_failed
; ERROR @f: emit=asm: assembly cannot list the pointers of the root %a
declare void @llvm.gcroot(ptr, ptr)
@meta = external global i8
declare void @g()
define void @f(ptr %p) {
  %a = alloca { ptr, ptr }
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @g()
  ret void
}
;--- where nobody knows which root is which
; RUN: opt=2 safepoints=none gc={erlang,ocaml}
; STATUS: codegen_failed
; ERROR @f: The table does not tell which of the function's roots is which
declare void @llvm.gcroot(ptr, ptr)
@meta = external global i8
declare void @g()
define void @f(ptr %p) noinline optnone {
  %a = alloca { i64, ptr }
  %b = alloca { ptr, i64 }
  call void @llvm.gcroot(ptr %a, ptr @meta)
  call void @llvm.gcroot(ptr %b, ptr @meta)
  call void @g()
  ret void
}
