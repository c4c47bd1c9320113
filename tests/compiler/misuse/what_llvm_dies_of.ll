; What ends LLVM's own tools is named before it can.
; RUN: safepoints=none
;--- elementtype
; STATUS: invalid_module
; ERROR: elementtype
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr @g, i32 0, i32 0, i32 0, i32 0) ["gc-live"(ptr addrspace(1) %p)]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}
;--- resume
; STATUS: codegen_failed
; ERROR: resume
declare void @g()
define void @f() personality ptr @g {
  invoke void @g() to label %on unwind label %off
on:
  ret void
off:
  %l = landingpad token cleanup
  resume token undef
}
