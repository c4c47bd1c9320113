; Types are one each.
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: has two types
declare void @g()
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @llvm.gc.value.p1(ptr addrspace(1) %p, ptr @t)
  call void @llvm.gc.value.p1(ptr addrspace(1) %p, ptr @own)
  call void @g()
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
