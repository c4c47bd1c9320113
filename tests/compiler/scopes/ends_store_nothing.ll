; What is in a slot is nobody's business but the program's when its scope has ended.
;--- %v = load ref, ptr %a
; RUN: safepoints=none opt=2
; IR-NOT: ptr addrspace(1) null
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
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  %v = load ptr addrspace(1), ptr %a
  store i8 0, ptr addrspace(1) %v
  call void @g()
  ret void
}
;--- br label %loop
; RUN: safepoints=none opt=2
; IR=2: ptr addrspace(1) null
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  br label %loop
loop:
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  store ptr addrspace(1) %r, ptr %a
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  call void @g()
  %m = load volatile i1, ptr %p
  br i1 %m, label %loop, label %out
out:
  ret void
}
;--- %s = alloca ptr
; RUN: opt=0
; IR=1: store ptr null
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "erlang" {
entry:
  %s = alloca ptr
  store ptr %p, ptr %s
  call void @llvm.gc.declare(ptr %s, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %s)
  %v = load ptr, ptr %s
  store i8 0, ptr %v
  call void @g()
  ret void
}
