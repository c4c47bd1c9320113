; A call that has to be right before the return comes behind the roots' end.
; RUN: opt={0,1,2,3}
; IR @f: call void @leave(ptr
; THEN: musttail call void @g(
declare void @llvm.gcroot(ptr, ptr)
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
declare void @g(ptr)
define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  store ptr %p, ptr %a
  musttail call void @g(ptr %p)
  ret void
}
