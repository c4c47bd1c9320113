; A slot is read by the collector, whatever it was given.
; RUN: safepoints=none opt=0
; STACKMAP=1: "kind":"direct"
; RUN: safepoints=none opt=0 emit=ir
; IR-NOT: undef
declare void @llvm.gc.value.s({ ptr addrspace(1), i32, [2 x ptr addrspace(1)] }, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %v = insertvalue { ptr addrspace(1), i32, [2 x ptr addrspace(1)] } undef, ptr addrspace(1) %r, 2, 0
  call void @llvm.gc.value.s({ ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %v, ptr @meta)
  call void @g()
  %w = extractvalue { ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %v, 2, 1
  store i8 0, ptr addrspace(1) %w
  ret void
}
