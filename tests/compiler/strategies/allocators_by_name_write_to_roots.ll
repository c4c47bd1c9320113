; So does one that has the name of C's or C++'s, of which LLVM knows the same.
; RUN: safepoints=none opt={1,2,3}
; IR=1: %r = load ptr, ptr %s
;--- %n = call ptr @malloc(i64 8)
declare ptr @malloc(i64)
declare void @llvm.gcroot(ptr, ptr)
declare void @use(ptr, ptr)
define ptr @f(ptr %v) gc "ocaml" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %v, ptr %s
  %n = call ptr @malloc(i64 8)
  %r = load ptr, ptr %s
  call void @use(ptr %r, ptr %n)
  ret ptr %r
}
;--- %n = call ptr @_Znwm(i64 8) builtin
declare ptr @_Znwm(i64) nobuiltin
declare void @llvm.gcroot(ptr, ptr)
declare void @use(ptr, ptr)
define ptr @f(ptr %v) gc "ocaml" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %v, ptr %s
  %n = call ptr @_Znwm(i64 8) builtin
  %r = load ptr, ptr %s
  call void @use(ptr %r, ptr %n)
  ret ptr %r
}
