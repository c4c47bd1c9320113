; transition.ll - the GC transition of LLVM's document: a thread-local flag is 1 while native code runs. For
; thread_local_check.c; compiled with transition=flag.
@flag = thread_local global i32 0, align 4
declare void @foo()
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32 immarg, i32 immarg)

define ptr addrspace(1) @test1(ptr addrspace(1) %obj) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @foo, i32 0, i32 1, i32 0, i32 0) [ "gc-transition"(ptr @flag), "gc-live"(ptr addrspace(1) %obj) ]
  %r = call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}
