; A slot that is filled as a whole, eight bytes, and copied out again.
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=1: {"offset":0,"size":4,"space":2,"count":2,"stride":4}
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %s = alloca [2 x ptr addrspace(2)]
  call void @llvm.memcpy.p0.p1.i64(ptr %s, ptr addrspace(1) %o, i64 8, i1 false)
  call void @g()
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %o, ptr %s, i64 8, i1 false)
  ret ptr addrspace(2) null
}
