; The document's example.
; RUN: safepoints=none opt={0,1,2,3} transition=flag
; RUN: safepoints=none opt={0,1,2,3} transition=flag reloc=static
; IR: store i32 1, ptr @flag
; THEN: @foo
; THEN: store i32 0, ptr @flag
; RUN: safepoints=none transition=flag
; SAFEPOINTS callee=foo: 1
; STACKMAP=1: "gc_transition":true
; STACKMAP=1: "base":
; RUN: safepoints=none transition=flag reloc=static target=x86_64-linux-gnu
; DISASM: movl $0x1, %fs:
; THEN: callq foo
; THEN: movl $0x0, %fs:
@flag = thread_local global i32 0, align 4
declare void @foo()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
define ptr addrspace(1) @test1(ptr addrspace(1) %obj) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @foo, i32 0, i32 1, i32 0, i32 0) [ "gc-transition"(ptr @flag), "gc-live"(ptr addrspace(1) %obj) ]
  %r = call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}
