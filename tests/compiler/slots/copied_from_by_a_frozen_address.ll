; Bytes of the heap that reach a slot by way of another one, whose address is frozen or cast first.
; RUN: opt={0,2} safepoints=none
; STATUS: cannot_rewrite
; ERROR: The stack slot '%b = alloca i64, align 8' holds a reference across the call of g
declare void @g()
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

;--- frozen
define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) gc "statepoint-example" {
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  %x = freeze ptr %a
  call void @llvm.memcpy.p0.p1.i64(ptr %x, ptr addrspace(1) %p, i64 8, i1 true)
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 true)
  call void @g()
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %q, ptr %b, i64 8, i1 true)
  ret void
}

;--- cast
define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) gc "statepoint-example" {
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  %x = addrspacecast ptr %a to ptr addrspace(3)
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) %x, ptr addrspace(1) %p, i64 8, i1 true)
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 true)
  call void @g()
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %q, ptr %b, i64 8, i1 true)
  ret void
}
