; Roots of the "erlang" strategy: at a stack pointer, at a frame pointer, in a frame of dynamic size; and a function that
; nothing stops in, whose row of the table has no address.
declare void @llvm.gcroot(ptr, ptr)
declare void @g(ptr)
@meta = constant i32 7
define void @one(ptr %a, ptr %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %h) gc "erlang" {
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
define void @leaf(ptr %a) gc "erlang" {
  ret void
}
define void @fp(ptr %a) "frame-pointer"="all" gc "erlang" {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr %a, ptr %r
  call void @g(ptr %a)
  unreachable
}
define void @dyn(ptr %a, i64 %n) gc "erlang" {
  %r = alloca ptr
  call void @llvm.gcroot(ptr %r, ptr null)
  store ptr %a, ptr %r
  %q = alloca i8, i64 %n
  call void @g(ptr %q)
  ret void
}
