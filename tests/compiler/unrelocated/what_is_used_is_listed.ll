; What is used is listed.
; RUN: safepoints=none opt={0,2}
;--- %q is used after the statepoint that calls g
; STATUS: safepoint_violation
; ERROR: %q is used after the statepoint that calls g
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  ret ptr addrspace(1) %q
}
;--- derived from a pointer that it does not list
; STATUS: cannot_rewrite
; ERROR: derived from a pointer that it does not list
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %d) ]
  ret ptr addrspace(1) %d
}
;--- without having been relocated
; STATUS: safepoint_violation
; ERROR: without having been relocated
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p, ptr addrspace(1) %q) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %q
}
