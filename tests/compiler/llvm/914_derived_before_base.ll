; A derived pointer is relocated before its base: CodeGenPrepare makes a step from the base of the one, which comes later
; (found in LLILC, dotnet/llilc #914).
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 5 = 12
; RESULT: --leave-out 0 5 != 12
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 %n, ptr addrspace(1) %o
  %d = getelementptr i64, ptr addrspace(1) %o, i64 2
  store i64 7, ptr addrspace(1) %d
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %o, ptr addrspace(1) %d) ]
  %derived = call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  %base = call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  %v = load i64, ptr addrspace(1) %derived
  %w = load i64, ptr addrspace(1) %base
  %s = add i64 %v, %w
  ret i64 %s
}
