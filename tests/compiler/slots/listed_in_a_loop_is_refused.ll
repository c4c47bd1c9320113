; A slot that a statepoint lists, and that each turn of a loop makes anew, or whose size varies, has no place that a
; record could tell.
; RUN: opt={0,2} safepoints=none
; STATUS: cannot_rewrite
declare void @work()
;--- in a loop
; ERROR @f: stands in a loop
define ptr addrspace(1) @f(ptr addrspace(1) %a, i64 %n) gc "statepoint-example" {
entry:
  br label %go
go:
  %i = phi i64 [ 0, %entry ], [ %j, %go ]
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %a, ptr %s
  call void @work() [ "gc-live"(ptr %s) ]
  %v = load ptr addrspace(1), ptr %s
  %j = add i64 %i, 1
  %c = icmp eq i64 %j, %n
  br i1 %c, label %x, label %go
x:
  ret ptr addrspace(1) %v
}
;--- of a size that varies
; ERROR @f: has no fixed size
define ptr addrspace(1) @f(ptr addrspace(1) %a, i64 %n) gc "statepoint-example" {
  %s = alloca ptr addrspace(1), i64 %n
  store ptr addrspace(1) %a, ptr %s
  call void @work() [ "gc-live"(ptr %s) ]
  %v = load ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
