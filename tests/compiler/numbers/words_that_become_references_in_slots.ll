; A word that is written to a slot of references is one from there on, as if it were cast to one. What was kept across
; a safepoint before that was reported to nobody.
; RUN: opt={0,2} safepoints=none
;--- the word waits in a slot of its own
; STATUS: safepoint_violation
; ERROR: is kept across the call of collect
declare void @collect()
declare void @see(ptr)
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %word = alloca i64
  %slot = alloca ptr addrspace(1)
  call void @see(ptr %word)
  %x = load i64, ptr addrspace(1) %o
  store volatile i64 %x, ptr %word
  call void @collect()
  %y = load volatile i64, ptr %word
  store volatile i64 %y, ptr %slot
  call void @collect()
  %r = load volatile ptr addrspace(1), ptr %slot
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}
;--- it is written before the call
; REGIONS: 1
declare void @collect()
declare void @see(ptr)
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %word = alloca i64
  %slot = alloca ptr addrspace(1)
  %x = load i64, ptr addrspace(1) %o
  store volatile i64 %x, ptr %word
  %y = load volatile i64, ptr %word
  store volatile i64 %y, ptr %slot
  call void @collect()
  %r = load volatile ptr addrspace(1), ptr %slot
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}
