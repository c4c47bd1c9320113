; A statepoint that is a GC transition: AArch64's code generation cannot select it. smd makes the calls around it itself,
; or none, and the record says what it is.
; RUN: opt={0,1,2,3} safepoints=none target=aarch64-linux-gnu
; SAFEPOINT @test: "gc_transition":true
; ROOTS @test: 1
; IR-NOT @test: i32 2, i32 1,
; RUN: opt={0,1,2,3} safepoints=none target=x86_64-linux-gnu
; SAFEPOINT @test: "gc_transition":true
; ROOTS @test: 1
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare i32 @process(i32, ptr addrspace(1))
declare i32 @personality(...)

define ptr addrspace(1) @test(i32 %x, ptr addrspace(1) %y) "frame-pointer"="non-leaf" uwtable gc "statepoint-example" personality ptr @personality {
  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 123, i32 0, ptr elementtype(i32 (i32, ptr addrspace(1))) @process, i32 2, i32 1, i32 %x, ptr addrspace(1) %y, i64 0, i64 0) [ "gc-live"(ptr addrspace(1) %y) ]
          to label %ok unwind label %pad

ok:
  %r = call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r

pad:
  %l = landingpad token
          cleanup
  ret ptr addrspace(1) null
}
