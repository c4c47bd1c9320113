; A module's own invoke of a barrier is a call and a branch: barriers do not throw. The landing pad has another way in.
; RUN: opt={0,2} safepoints=none
; UNDEFINED-NOT: /^(smd|llvm)\./
; IR-NOT @f: gcwrite
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare void @work()
declare i32 @personality(...)

define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr addrspace(1) %v) gc "statepoint-example" personality ptr @personality {
entry:
  invoke void @work() to label %on unwind label %pad

on:
  invoke void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %o) to label %out unwind label %pad

out:
  ret ptr addrspace(1) %v

pad:
  %where = phi ptr addrspace(1) [ %o, %entry ], [ %v, %on ]
  %l = landingpad token
          cleanup
  ret ptr addrspace(1) %where
}
