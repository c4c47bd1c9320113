; What no collector could be told.
; RUN: safepoints=none
;--- an alloca of fixed size
; STATUS: invalid_gcroot
; ERROR: an alloca of fixed size
declare void @llvm.gc.declare(ptr, ptr)
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %p, ptr @meta)
  ret void
}
;--- %d = alloca i8, i64 %n
; STATUS: invalid_gcroot
; ERROR: an alloca of fixed size
declare void @llvm.gc.declare(ptr, ptr)
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  %d = alloca i8, i64 %n
  call void @llvm.gc.declare(ptr %d, ptr @meta)
  ret void
}
;--- constant pointer
; STATUS: invalid_gcroot
; ERROR: constant pointer
declare void @llvm.gc.declare(ptr, ptr)
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr %p)
  ret void
}
;--- need a function with a GC strategy
; STATUS: invalid_gcroot
; ERROR: need a function with a GC strategy
declare void @llvm.gc.declare(ptr, ptr)
@meta = constant i32 1
@count = global i32 0
define void @f() {
  %a = alloca ptr
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  ret void
}
