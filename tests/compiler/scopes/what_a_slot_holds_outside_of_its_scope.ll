; A reference that is kept in it from before is one all the same.
; RUN: safepoints=none opt={0,1,2,3,z}
; STACKMAP=2: "kind":"direct"
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  store ptr addrspace(1) %r, ptr %a
  call void @g()
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  %v = load ptr addrspace(1), ptr %a
  store i8 0, ptr addrspace(1) %v
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  ret void
}
