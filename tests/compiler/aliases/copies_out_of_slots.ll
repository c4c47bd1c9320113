; A slot that is filled as a whole becomes values, and eight bytes of it would be an integer.
; RUN: safepoints=none opt={0,1,2,3}
; STACKMAP=1: "fields":[{"offset":8,"size":8,"space":1},{"offset":16,
declare void @g()
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
define void @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = alloca { i64, ptr addrspace(1), ptr addrspace(1) }
  call void @llvm.memcpy.p0.p1.i64(ptr %s, ptr addrspace(1) %o, i64 24, i1 false)
  call void @g()
  %part = getelementptr i8, ptr %s, i64 8
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %o, ptr %part, i64 8, i1 false)
  ret void
}
