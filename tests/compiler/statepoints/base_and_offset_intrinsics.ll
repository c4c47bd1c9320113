; Base and offset intrinsics.
; RUN: safepoints=none
; IR-NOT: call i64 @llvm.experimental.gc.get.pointer
declare void @g()
declare ptr addrspace(1) @llvm.experimental.gc.get.pointer.base.p1.p1(ptr addrspace(1))
declare i64 @llvm.experimental.gc.get.pointer.offset.p1(ptr addrspace(1))
define i64 @f(ptr addrspace(1) %a, i64 %i) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %b = call ptr addrspace(1) @llvm.experimental.gc.get.pointer.base.p1.p1(ptr addrspace(1) %d)
  %o = call i64 @llvm.experimental.gc.get.pointer.offset.p1(ptr addrspace(1) %d)
  call void @g()
  %v = load i64, ptr addrspace(1) %b
  %s = add i64 %v, %o
  ret i64 %s
}
