; Bytes of the heap that go through one.
;--- typed
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare void @g()
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  call void @llvm.memcpy.p0.p1.i64(ptr %s, ptr addrspace(1) %p, i64 8, i1 0)
  call void @g()
  %v = load ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
;--- blind
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: llvm.memcpy.p1.p0
declare void @g()
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) gc "statepoint-example" {
  %s = alloca [8 x i8]
  call void @llvm.memcpy.p0.p1.i64(ptr %s, ptr addrspace(1) %p, i64 8, i1 0)
  call void @g()
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %q, ptr %s, i64 8, i1 0)
  ret void
}
;--- llvm.memcpy.p0.p0
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: llvm.memcpy.p0.p0
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @g()
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) gc "statepoint-example" {
  %s = alloca [16 x i8]
  %t = alloca [16 x i8]
  call void @llvm.memcpy.p0.p1.i64(ptr %s, ptr addrspace(1) %p, i64 16, i1 1)
  call void @g()
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %s, i64 16, i1 1)
  call void @g()
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %q, ptr %t, i64 16, i1 1)
  ret void
}
