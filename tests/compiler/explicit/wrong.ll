; What a statepoint of the module's own says wrongly is refused with its place, before LLVM's verifier dies of it.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
;--- An index beyond the list.
; ERROR @f: %r relocates number 9 of the statepoint's "gc-live" operands as its base
; AT: %r = call
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %a) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) ["gc-live"(ptr addrspace(1) %a)]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 9, i32 9)
  ret ptr addrspace(1) %r
}
;--- A function without a strategy.
; ERROR @f: %r is in a function without a GC strategy
; AT: %r = call
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %a) {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) ["gc-live"(ptr addrspace(1) %a)]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}
;--- A token of another call.
; ERROR @f: %r: its token is not of a call of llvm.experimental.gc.statepoint
; AT: %r = call
declare token @mine()
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
define ptr addrspace(1) @f(ptr addrspace(1) %a) gc "statepoint-example" {
  %t = call token @mine()
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}
;--- A token of an intrinsic that LLVM does not know.
; ERROR @f: llvm.cj.gc.statepoint gives a token, and is no intrinsic that LLVM 19 knows
declare token @llvm.cj.gc.statepoint(...)
define ptr @f(ptr %p) {
  %t = call token (...) @llvm.cj.gc.statepoint(i64 0)
  ret ptr %p
}
