; Polls are safepoints too.
; RUN: safepoints=backedge,return poll=call:pay
; STACKMAP=1: "kind":"direct"
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
declare void @pay()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  br label %loop
loop:
  %v = load volatile i32, ptr @count
  br i1 %c, label %loop, label %out
out:
  call void @llvm.gc.undeclare(ptr %a)
  ret void
}
