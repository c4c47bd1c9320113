; A slot is a root between declare and undeclare.
; RUN: safepoints=none opt={0,1,2,3,z}
;--- 1
; STACKMAP=2: "kind":"direct"
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @g()
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  ret void
}
;--- call void @llvm.gc.declare(ptr %b, ptr @meta)
; STACKMAP=4: "kind":"direct"
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  call void @llvm.gc.declare(ptr %b, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  call void @llvm.gc.undeclare(ptr %b)
  call void @g()
  ret void
}
;--- %a = alloca ref
; STACKMAP=1: "kind":"direct"
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @g()
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  ret void
}
;--- br label %loop
; STACKMAP=1: "kind":"direct"
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  br label %loop
loop:
  call void @g()
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  br i1 %c, label %loop, label %out
out:
  ret void
}
;--- call void @llvm.gc.undeclare(ptr %a)
; STACKMAP=1: "kind":"direct"
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @llvm.gc.undeclare(ptr %a)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  ret void
}
