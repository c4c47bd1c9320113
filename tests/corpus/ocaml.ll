; Roots of the "ocaml" strategy: at a stack pointer and at a frame pointer. It has no frames of dynamic size.
declare void @llvm.gcroot(ptr, ptr)
declare void @g(ptr)
@meta = constant i32 7
define void @one(ptr %a, ptr %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %h) gc "ocaml" {
  %r = alloca ptr
  %s = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %a, ptr %r
  store ptr %b, ptr %s
  call void @g(ptr %a)
  call void @g(ptr %b)
  %x = load ptr, ptr %r
  call void @g(ptr %x)
  ret void
}
define void @leaf(ptr %a) gc "ocaml" {
  ret void
}
define void @fp(ptr %a) "frame-pointer"="all" gc "ocaml" {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr %a, ptr %r
  call void @g(ptr %a)
  unreachable
}
