; A reference that was cast before a safepoint, and whose bits are stored into the slot of one behind it: what is read
; from the slot is stale, although no safepoint lies between.
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR: A reference is cast by
declare void @collect()
define i64 @program(ptr addrspace(1) %a) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  %i = ptrtoint ptr addrspace(1) %a to i64
  call void @collect()
  store volatile i64 %i, ptr %s
  %r = load volatile ptr addrspace(1), ptr %s
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}
