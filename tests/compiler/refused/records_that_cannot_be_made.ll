; RUN: safepoints=none target=aarch64-linux-gnu
; STATUS: codegen_failed
; ERROR @f
;--- an empty value
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g() [ "deopt"({} undef) ]
  ret ptr addrspace(1) %p
}
;--- a frame that is aligned while it runs
declare void @llvm.gcroot(ptr, ptr)
declare void @collect()
define void @f() gc "ocaml" {
  %s = alloca ptr
  %al = alloca i8, align 256
  call void @llvm.gcroot(ptr %s, ptr null)
  store volatile i8 1, ptr %al
  call void @collect()
  ret void
}
;--- a stack slot outside the stack
declare void @g(ptr addrspace(1))
define void @f() gc "statepoint-example" {
  %s = alloca i8, addrspace(1)
  call void @g(ptr addrspace(1) %s)
  ret void
}
;--- exceptions of Windows
declare void @may_throw()
declare i32 @__CxxFrameHandler3(...)
define void @f(ptr addrspace(1) %o) gc "statepoint-example" personality ptr @__CxxFrameHandler3 {
  invoke void @may_throw() to label %ok unwind label %cs
ok:
  ret void
cs:
  %p = cleanuppad within none []
  cleanupret from %p unwind to caller
}
