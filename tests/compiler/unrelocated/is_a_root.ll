; Unrelocated is a root.
;--- %t = call token (i64, i32, ptr, i32, i32
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  ret ptr addrspace(1) %p
}
;--- %u = call token (i64, i32, ptr, i32, i32
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 2 1
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p, ptr addrspace(1) %q) ]
  %u = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  ret ptr addrspace(1) %p
}
;--- %r = call ref @llvm.experimental.gc.relocate.p1(token %t
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 2
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p, ptr addrspace(1) %q) ]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}
;--- %d = getelementptr i8, ref %p, i64 8
; RUN: safepoints=none
; ROOTS: 2
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p, ptr addrspace(1) %d) ]
  ret ptr addrspace(1) %d
}
