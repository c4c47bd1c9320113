; Atomic memcpy leaf and parseable.
; RUN: safepoints=none
;--- call void @llvm.memcpy.element.unordered.atomic.p1.p1.i32(ref
; SAFEPOINTS callee=__llvm_memcpy_element_unordered_atomic_safepoint_4: 1
declare void @llvm.memcpy.element.unordered.atomic.p1.p1.i32(ptr addrspace(1), ptr addrspace(1), i32, i32)
define void @f(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) gc "statepoint-example" {
  call void @llvm.memcpy.element.unordered.atomic.p1.p1.i32(ptr addrspace(1) align 4 %a, ptr addrspace(1) align 4 %b, i32 %n, i32 4)
  ret void
}
;--- ret void
; STACKMAP-NOT: "callee"
declare void @llvm.memcpy.element.unordered.atomic.p1.p1.i32(ptr addrspace(1), ptr addrspace(1), i32, i32)
define void @f(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) gc "statepoint-example" {
  call void @llvm.memcpy.element.unordered.atomic.p1.p1.i32(ptr addrspace(1) align 4 %a, ptr addrspace(1) align 4 %b, i32 %n, i32 4) "gc-leaf-function"
  ret void
}
