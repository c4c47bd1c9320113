; A value is a root while it is used.
; RUN: safepoints=none opt={0,1,2,3,z}
;--- call void @llvm.gc.value.i64(i64 %n, ptr @meta)
; STACKMAP=1: "kind":"direct"
declare void @llvm.gc.value.i64(i64, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.value.i64(i64 %n, ptr @meta)
  call void @g()
  %q = inttoptr i64 %n to ptr
  store i8 0, ptr %q
  call void @g()
  ret void
}
;--- call void @llvm.gc.value.p1(ref %r, ptr @meta)
; STACKMAP=2: "kind":"direct"
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.value.p1(ptr addrspace(1) %r, ptr @meta)
  call void @g()
  call void @g()
  store i8 0, ptr addrspace(1) %r
  call void @g()
  ret void
}
;--- br i1 %c, label %x, label %y
; STACKMAP=1: "kind":"direct"
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.value.p1(ptr addrspace(1) %r, ptr @meta)
  br i1 %c, label %x, label %y
x:
  call void @g()
  store i8 0, ptr addrspace(1) %r
  ret void
y:
  call void @g()
  ret void
}
;--- call void @llvm.gc.value.p1(ref null, ptr null)
; STACKMAP-NOT: "kind":"direct"
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.value.p1(ptr addrspace(1) null, ptr null)
  call void @g()
  ret void
}
