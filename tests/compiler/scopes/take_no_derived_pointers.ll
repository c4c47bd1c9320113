; It would be told as its own base.
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: is derived from another pointer, and stored into a root
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  %d = getelementptr i8, ptr addrspace(1) %r, i64 8
  store ptr addrspace(1) %d, ptr %a
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  ret void
}
