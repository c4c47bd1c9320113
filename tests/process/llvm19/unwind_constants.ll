; A reference that is found to be a constant is in a register that only the way behind the call writes.
; COMMAND: llc-19 -O0 -mtriple=x86_64-linux-gnu %s -o -
; FAULT: callq\s+g@PLT(.|\n)*8-byte Spill(.|\n)*# %pad(.|\n)*8-byte Reload
declare void @g()
declare i32 @p(...)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
define ptr addrspace(1) @f() gc "statepoint-example" personality ptr @p {
  %none = select i1 false, ptr addrspace(1) null, ptr addrspace(1) null
  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %none) ]
          to label %normal unwind label %pad
normal:
  ret ptr addrspace(1) null
pad:
  %l = landingpad token cleanup
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %l, i32 0, i32 0)
  ret ptr addrspace(1) %r
}
