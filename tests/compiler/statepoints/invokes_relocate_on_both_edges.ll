; Invokes relocate on both edges.
;--- %l = landingpad token cleanup
; RUN: safepoints=none
; IR=2: call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" personality ptr @personality {
  invoke void @g() to label %ok unwind label %bad
ok:
  ret ptr addrspace(1) %p
bad:
  %l = landingpad token cleanup
  ret ptr addrspace(1) %p
}
;--- %l = landingpad { ptr, i32 } cleanup
; RUN: safepoints=none
; IR=1: call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1.pad0({ ptr, i32 }
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" personality ptr @personality {
  invoke void @g() to label %ok unwind label %bad
ok:
  ret ptr addrspace(1) %p
bad:
  %l = landingpad { ptr, i32 } cleanup
  ret ptr addrspace(1) %p
}
;--- %l = landingpad { ptr, i64 } cleanup
; RUN: safepoints=none opt=0
; ROOTS: 1
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" personality ptr @personality {
  invoke void @g() to label %ok unwind label %bad
ok:
  ret ptr addrspace(1) %p
bad:
  %l = landingpad { ptr, i64 } cleanup
  ret ptr addrspace(1) %p
}
