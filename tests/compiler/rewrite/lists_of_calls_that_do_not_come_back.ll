; Nothing comes behind such a call, and AArch64's code generation drops what has no effect before an
; unreachable: relocations.
; RUN: safepoints=none opt={0,2,3}
; STACKMAP=1: "base":
;--- call void @g() [ "gc-live"(ref %o) ]
declare void @g()
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @g() [ "gc-live"(ptr addrspace(1) %o) ]
  unreachable
}
;--- %t = call token (i64, i32, ptr, i32, i32
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) ["gc-live"(ptr addrspace(1) %o)]
  unreachable
}
;--- br label %never
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) ["gc-live"(ptr addrspace(1) %o)]
  br label %never
never:
  unreachable
}
;--- ) noreturn ["gc-live"
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) noreturn ["gc-live"(ptr addrspace(1) %o)]
  unreachable
}
;--- br label %never, and noreturn
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) noreturn ["gc-live"(ptr addrspace(1) %o)]
  br label %never
never:
  unreachable
}
;--- invoke, to a block that is never reached
declare void @g()
declare i32 @personality(...)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" personality ptr @personality {
  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) noreturn ["gc-live"(ptr addrspace(1) %o)]
      to label %never unwind label %pad
never:
  unreachable
pad:
  %caught = landingpad token cleanup
  ret i64 0
}
