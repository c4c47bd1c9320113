; LLVM takes what inttoptr gives for an object of its own.
;--- %p = inttoptr i64 %n to ref
; RUN: safepoints=none opt=0
; WARNING=1:
; WARNING: %p comes from an integer (inttoptr), and is alive across the call of g
; RUN: safepoints=none opt=2
; WARNING=1:
; WARNING: comes from an integer (inttoptr), and is alive across the call of g
define ptr addrspace(1) @f(i64 %n) gc "statepoint-example" {
  %p = inttoptr i64 %n to ptr addrspace(1)
  %q = getelementptr i8, ptr addrspace(1) %p, i64 8
  call void @g()
  ret ptr addrspace(1) %q
}
declare void @g()
;--- %p = call ref @smd.gc.from_int(i64 %n)
; RUN: safepoints=none tag_mask=7
; WARNING-NOT:
define ptr addrspace(1) @f(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %q = getelementptr i8, ptr addrspace(1) %p, i64 8
  call void @g()
  ret ptr addrspace(1) %q
}
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
