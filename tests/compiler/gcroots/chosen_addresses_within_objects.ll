; An address within an object is none for a root either where it is chosen beside the object's own.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_gcroot
; ERROR: is an address within an object
declare void @g()
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %o, i1 %c) gc "shadow-stack" {
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  %field = getelementptr i8, ptr %o, i64 8
  %either = select i1 %c, ptr %field, ptr %o
  store ptr %either, ptr %root
  call void @g()
  ret void
}
