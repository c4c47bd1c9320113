; Two roots of one function that became part of another, one life behind the other: two slots,
; throughout.
; RUN: opt=2 emit=ir
; IR=2: call void @llvm.gcroot(ptr nonnull %s
; IR-NOT: call void @llvm.lifetime.
; IR-NOT: , align 32
;--- define internal void @inner() gc "shadow-stack" {
declare void @llvm.gcroot(ptr, ptr)
declare ptr @make()
declare void @use(ptr)
define internal void @inner() gc "shadow-stack" {
  %s = alloca ptr, align 32
  call void @llvm.gcroot(ptr %s, ptr null)
  %p = call ptr @make()
  store ptr %p, ptr %s, align 32
  call void @use(ptr null)
  %q = load ptr, ptr %s, align 32
  call void @use(ptr %q)
  ret void
}
define void @f(i1 %c) gc "shadow-stack" {
  br i1 %c, label %a, label %b
a:
  call void @inner()
  call void @inner()
  br label %b
b:
  ret void
}
;--- define internal void @inner() gc "erlang" {
declare void @llvm.gcroot(ptr, ptr)
declare ptr @make()
declare void @use(ptr)
define internal void @inner() gc "erlang" {
  %s = alloca ptr, align 32
  call void @llvm.gcroot(ptr %s, ptr null)
  %p = call ptr @make()
  store ptr %p, ptr %s, align 32
  call void @use(ptr null)
  %q = load ptr, ptr %s, align 32
  call void @use(ptr %q)
  ret void
}
define void @f(i1 %c) gc "erlang" {
  br i1 %c, label %a, label %b
a:
  call void @inner()
  call void @inner()
  br label %b
b:
  ret void
}
;--- define internal void @inner() gc "ocaml" {
declare void @llvm.gcroot(ptr, ptr)
declare ptr @make()
declare void @use(ptr)
define internal void @inner() gc "ocaml" {
  %s = alloca ptr, align 32
  call void @llvm.gcroot(ptr %s, ptr null)
  %p = call ptr @make()
  store ptr %p, ptr %s, align 32
  call void @use(ptr null)
  %q = load ptr, ptr %s, align 32
  call void @use(ptr %q)
  ret void
}
define void @f(i1 %c) gc "ocaml" {
  br i1 %c, label %a, label %b
a:
  call void @inner()
  call void @inner()
  br label %b
b:
  ret void
}
