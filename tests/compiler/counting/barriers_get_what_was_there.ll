; A write barrier with a fourth parameter is told what the slot has before the store; then none is
; left out: not of nulls, and not in fresh objects.
;--- store ref %v, ref %s
; RUN: opt={0,1,2,3} safepoints=none barriers=auto
; IR=3: call void @count(
; IR=3: load ptr addrspace(1), ptr addrspace(1) %
; RUN: opt={0,1,2,3} safepoints=none
; IR-NOT: call void @count(
declare void @count(ptr addrspace(1), ptr addrspace(1)) "gc-leaf-function"
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s, ptr addrspace(1) %was) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  call void @count(ptr addrspace(1) %v, ptr addrspace(1) %was)
  ret void
}
declare void @stop()
declare noalias ptr addrspace(1) @make()
define ptr addrspace(1) @f(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  call void @stop()
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %n = call ptr addrspace(1) @make()
  store ptr addrspace(1) null, ptr addrspace(1) %n
  ret ptr addrspace(1) %n
}
;--- a ptr old behind them
; RUN:
; STATUS: barrier_conflict
; ERROR: a fourth parameter, ptr old
define void @gc.write_barrier(ptr %v, ptr %o, ptr %s, i64 %was) {
  ret void
}
