; Statepoints are completed.
;--- %t = call token (i64, i32, ptr, i32, i32
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 2
; RUN: safepoints=none
; STACKMAP=1: "id":9,
; STACKMAP=1: "reason":"explicit","callee":"h"
; RUN: safepoints=none
; IR=1: (i64 9, i32 8, ptr elementtype
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare i64 @llvm.experimental.gc.result.i64(token)
declare i64 @h(i64)
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 9, i32 8, ptr elementtype(i64 (i64)) @h, i32 1, i32 0, i64 3, i32 0, i32 0) [ "deopt"(i32 3) ]
  %v = call i64 @llvm.experimental.gc.result.i64(token %t)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %q
}
;--- %v = call i64 @llvm.experimental.gc.result.i64(token %t)
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 2
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare i64 @llvm.experimental.gc.result.i64(token)
declare i64 @h(i64)
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 9, i32 8, ptr elementtype(i64 (i64)) @h, i32 1, i32 0, i64 3, i32 0, i32 0) [ "gc-live"() ]
  %v = call i64 @llvm.experimental.gc.result.i64(token %t)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %q
}
;--- %t = invoke token (i64, i32, ptr, i32, i32
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare i64 @llvm.experimental.gc.result.i64(token)
declare i64 @h(i64)
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(i64 (i64)) @h, i32 1, i32 0, i64 3, i32 0, i32 0) to label %end unwind label %pad
end:
  %v = call i64 @llvm.experimental.gc.result.i64(token %t)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
pad:
  %l = landingpad token cleanup
  ret ptr addrspace(1) %p
}
