; Slots of any type, with what the declaration says of them.
;--- %d = alloca { i64, [3 x ref] }
; RUN: safepoints=none opt={0,1,2,3}
; STACKMAP=1: "fields":[{"offset":8,"size":8,"space":1,"count":3,"stride":8}],"bytes":32,"type":{"symbol":"meta","addend":0}
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
;--- a union of a number and a reference, of which only its collector knows which it is
; RUN: safepoints=none opt={0,1,2,3}
; SAFEPOINT>=2: "bytes":16,"type":7
; EXPLAIN: stack region, of its frontend's of type 7
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
define i64 @f(ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %d = alloca { i64, i64 }
  store { i64, i64 } zeroinitializer, ptr %d
  call void @llvm.gc.declare(ptr %d, ptr inttoptr (i64 7 to ptr))
  call void @g()
  %at = getelementptr i8, ptr %d, i64 8
  br i1 %c, label %reference, label %number
reference:
  store i64 1, ptr %d
  store ptr addrspace(1) %r, ptr %at
  br label %end
number:
  store i64 0, ptr %d
  store i64 %n, ptr %at
  br label %end
end:
  call void @g()
  %tag = load i64, ptr %d
  %is = icmp eq i64 %tag, 1
  br i1 %is, label %read, label %out
read:
  %o = load ptr addrspace(1), ptr %at
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
out:
  %m = load i64, ptr %at
  ret i64 %m
}
