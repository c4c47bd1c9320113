; A transition without operands is a flag of the statepoint alone.
; RUN: safepoints=none target=x86_64-linux-gnu
;--- %t = call token (i64, i32, ptr, i32, i32
; STACKMAP=1: "gc_transition":false
; ROOTS: 1
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define i64 @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- %v = load i64, ref %p
; STACKMAP=1: "gc_transition":true
; ROOTS: 1
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define i64 @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 1, i32 0, i32 0)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
