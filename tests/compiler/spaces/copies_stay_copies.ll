; Four bytes that are copied within the heap are a reference, perhaps: no register has them across a
; safepoint.
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt=2 emit=ir
; IR=1: i64 4, i1 true
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %a = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %a, ptr addrspace(1) %o, i64 4, i1 false)
  call void @g()
  ret ptr addrspace(2) %p
}
