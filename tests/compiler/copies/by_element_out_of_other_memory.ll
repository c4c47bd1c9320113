; A copy element by element may collect only if both its ends are in the heap: out of other memory it is a leaf.
; RUN: opt={0,2} safepoints=none
; SAFEPOINTS: 0
; UNDEFINED: __llvm_memcpy_element_unordered_atomic_8
; UNDEFINED: __llvm_memmove_element_unordered_atomic_4
declare void @llvm.memcpy.element.unordered.atomic.p1.p0.i64(ptr addrspace(1), ptr, i64, i32)
declare void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)

define void @in(ptr addrspace(1) %to, ptr %from) gc "statepoint-example" {
  call void @llvm.memcpy.element.unordered.atomic.p1.p0.i64(ptr addrspace(1) align 8 %to, ptr align 8 %from, i64 32, i32 8)
  ret void
}

define void @outside(ptr addrspace(1) %o, ptr %to, ptr %from, i64 %n) gc "statepoint-example" {
  call void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 %n, i32 4)
  ret void
}
