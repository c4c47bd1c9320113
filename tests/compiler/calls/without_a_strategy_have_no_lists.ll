; Calls without a strategy have no lists.
; RUN: safepoints=none opt={0,2}
; STATUS: gc_mismatch
; ERROR: call of g
declare void @g()
define void @f(ptr addrspace(1) %p) {
  call void @g() [ "gc-live"(ptr addrspace(1) %p) ]
  ret void
}
