; Markers are gone.
; RUN: safepoints=none opt=2
; IR-NOT: smd.scope
; IR-NOT: llvm.gc.
; IR-NOT: optnone
; RUN: safepoints=none opt=2
; META=1: scoped roots
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  call void @llvm.gc.value.p1(ptr addrspace(1) %r, ptr null)
  call void @g()
  store i8 0, ptr addrspace(1) %r
  ret void
}
