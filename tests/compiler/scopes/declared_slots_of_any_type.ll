; Slots of any type, with what the declaration says of them.
;--- %d = alloca { i64, [3 x ref] }
; RUN: safepoints=none opt={0,1,2,3}
; STACKMAP=1: "fields":[{"offset":8,"size":8,"space":1,"count":3,"stride":8}],"type":{"symbol":"meta","addend":0}
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  %d = alloca { i64, [3 x ptr addrspace(1)] }
  call void @llvm.gc.declare(ptr %d, ptr @meta)
  call void @g()
  call void @llvm.gc.undeclare(ptr %d)
  call void @g()
  ret void
}
;--- %d = alloca ptr
; RUN: safepoints=none opt={0,1,2,3}
; STACKMAP=1: "fields":[{"offset":0,"size":8,"space":0}],"type":7
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  %d = alloca ptr
  call void @llvm.gc.declare(ptr %d, ptr inttoptr (i64 7 to ptr))
  call void @g()
  ret void
}
;--- %d = alloca [20 x i8]
; RUN: safepoints=none opt={0,1,2,3}
; STACKMAP=1: "bytes":20
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  %d = alloca [20 x i8]
  call void @llvm.gc.declare(ptr %d, ptr @meta)
  call void @g()
  ret void
}
;--- %a has two types
; RUN: safepoints=none
; STATUS: invalid_gcroot
; ERROR: %a has two types
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr inttoptr (i64 7 to ptr))
  call void @llvm.gc.undeclare(ptr %a)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  ret void
}
