; Bits that are stored into the slot of a reference are an address of the time when they were read or cast: behind a
; safepoint that is a stale one. Nor is every number that an atomic operation gives a reference.
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR: accesses something else where there may be a reference
;--- cast before a safepoint
declare void @collect()
define i64 @program(ptr addrspace(1) %a) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  %i = ptrtoint ptr addrspace(1) %a to i64
  call void @collect()
  store i64 %i, ptr %s
  call void @collect()
  %r = load ptr addrspace(1), ptr %s
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}
;--- taken out of an object before a safepoint
declare void @collect()
define i64 @program(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  %x = atomicrmw xchg ptr addrspace(1) %o, i64 0 seq_cst
  call void @collect()
  store i64 %x, ptr %s
  call void @collect()
  %r = load ptr addrspace(1), ptr %s
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}
;--- taken out before a safepoint, in another block
declare void @collect()
define i64 @program(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %o, ptr %s
  %x = cmpxchg ptr addrspace(1) %o, i64 0, i64 0 seq_cst seq_cst
  %old = extractvalue { i64, i1 } %x, 0
  %done = extractvalue { i64, i1 } %x, 1
  br i1 %done, label %end, label %other
other:
  call void @collect()
  br label %store
store:
  store i64 %old, ptr %s
  br label %end
end:
  call void @collect()
  %r = load ptr addrspace(1), ptr %s
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}
;--- taken out of a slot, and stored into an object behind a safepoint
declare void @collect()
define i64 @program(ptr addrspace(1) %o, ptr addrspace(1) %n) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %n, ptr %s
  %x = atomicrmw xchg ptr %s, i64 0 seq_cst
  call void @collect()
  store i64 %x, ptr addrspace(1) %o
  %r = load ptr addrspace(1), ptr %s
  %null = icmp eq ptr addrspace(1) %r, null
  %v = zext i1 %null to i64
  ret i64 %v
}
;--- what an addition gave
declare void @collect()
define i64 @program(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  %x = atomicrmw add ptr addrspace(1) %o, i64 8 seq_cst
  store i64 %x, ptr %s
  call void @collect()
  %r = load ptr addrspace(1), ptr %s
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}
;--- an address that is added to another one
declare void @collect()
define i64 @program(ptr addrspace(1) %o, ptr addrspace(1) %n) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %n, ptr %s
  %i = ptrtoint ptr addrspace(1) %o to i64
  %x = atomicrmw add ptr %s, i64 %i seq_cst
  call void @collect()
  %r = load ptr addrspace(1), ptr %s
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}
