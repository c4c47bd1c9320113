; What may be an address is no immediate number: a reference that is made of it has no base.
declare void @work()
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
;--- kept across a safepoint
; RUN: opt={0,2} safepoints=none
; STATUS: safepoint_violation
; ERROR=1 @f: which may have moved it
define ptr addrspace(1) @f(ptr addrspace(1) %a) gc "statepoint-example" {
  %ai = ptrtoint ptr addrspace(1) %a to i64
  %x = ashr i64 %ai, 1
  call void @work()
  %y = shl i64 %x, 1
  %o = or i64 %y, 1
  %r = inttoptr i64 %o to ptr addrspace(1)
  call void @work()
  ret ptr addrspace(1) %r
}
;--- the page of an object
; RUN: opt={0,2} safepoints=none
; STATUS: safepoint_violation
; ERROR=1 @f: no base for it, or a wrong one
define ptr addrspace(1) @f(ptr addrspace(1) %a) gc "statepoint-example" {
  %ai = ptrtoint ptr addrspace(1) %a to i64
  %x = ashr i64 %ai, 12
  %o = shl i64 %x, 12
  %r = inttoptr i64 %o to ptr addrspace(1)
  call void @work()
  ret ptr addrspace(1) %r
}
;--- an address with a tag
; RUN: opt={0,2} safepoints=none
; STATUS: safepoint_violation
; ERROR=1 @f: no base for it, or a wrong one
define ptr addrspace(1) @f(ptr addrspace(1) %a) gc "statepoint-example" {
  %ai = ptrtoint ptr addrspace(1) %a to i64
  %o = or i64 %ai, 1
  %r = inttoptr i64 %o to ptr addrspace(1)
  call void @work()
  ret ptr addrspace(1) %r
}
;--- an address inside
; RUN: opt={0,2} safepoints=none
; STATUS: safepoint_violation
; ERROR=1 @f: no base for it, or a wrong one
define ptr addrspace(1) @f(ptr addrspace(1) %a) gc "statepoint-example" {
  %ai = ptrtoint ptr addrspace(1) %a to i64
  %o = add i64 %ai, 9
  %r = inttoptr i64 %o to ptr addrspace(1)
  call void @work()
  ret ptr addrspace(1) %r
}
;--- an address inside, checked
; RUN: opt={0,2} safepoints=none
; STATUS: safepoint_violation
; ERROR=1 @f: no base for it, or a wrong one
define ptr addrspace(1) @f(ptr addrspace(1) %a) gc "statepoint-example" {
  %ai = ptrtoint ptr addrspace(1) %a to i64
  %p = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %ai, i64 16)
  %z = extractvalue { i64, i1 } %p, 1
  br i1 %z, label %x, label %y
x:
  ret ptr addrspace(1) null
y:
  %o = extractvalue { i64, i1 } %p, 0
  %r = inttoptr i64 %o to ptr addrspace(1)
  call void @work()
  ret ptr addrspace(1) %r
}
