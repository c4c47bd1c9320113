; Blocks are inside or outside.
;--- some
; RUN: safepoints=none
; STATUS: invalid_gcroot
; ERROR: %join is reached from %with with %a declared a root, and from %entry without
; RUN: safepoints=none scoped_roots=null_init
; STACKMAP=1: "kind":"direct"
; RUN: safepoints=none scoped_roots=null_init opt=2
; IR=1: store ptr addrspace(1) null, ptr %a
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  br i1 %c, label %with, label %join
with:
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  br label %join
join:
  call void @g()
  ret void
}
;--- %a is undeclared in %entry
; RUN: safepoints=none
; STATUS: invalid_gcroot
; ERROR: %a is undeclared in %entry
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.undeclare(ptr %a)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  ret void
}
;--- %a is declared a root in %entry
; RUN: safepoints=none
; STATUS: invalid_gcroot
; ERROR: %a is declared a root in %entry
declare void @llvm.gc.declare(ptr, ptr)
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  ret void
}
;--- declared
; RUN: safepoints=none
; STATUS: invalid_gcroot
; ERROR: declared
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) noinline optnone gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  br label %loop
loop:
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  br i1 %c, label %loop, label %out
out:
  ret void
}
;--- call void @llvm.gc.undeclare(ptr %a)
; RUN: safepoints=none scoped_roots=null_init
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
  call void @llvm.gc.undeclare(ptr %a)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  ret void
}
