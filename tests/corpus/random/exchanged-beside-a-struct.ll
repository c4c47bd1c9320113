; random: target=x86_64-unknown-linux-gnu opt=0 poll=call:collect safepoints=none
; moving: a root is outside the heap, or was moved before
; The exchange was made one of integers, and simplifying the struct simplified the casts around it away.

declare ptr addrspace(1) @allocate(i64, i64)

declare void @collect()

define i64 @program(i64 %n) gc "statepoint-example" {
  %holder = call ptr addrspace(1) @allocate(i64 16, i64 1)
  %object = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 7, ptr addrspace(1) %object
  store ptr addrspace(1) %object, ptr addrspace(1) %holder
  %put = insertvalue { ptr addrspace(1), i64 } zeroinitializer, ptr addrspace(1) %holder, 0
  %same = extractvalue { ptr addrspace(1), i64 } %put, 0
  %old = atomicrmw xchg ptr addrspace(1) %holder, ptr addrspace(1) null seq_cst
  call void @collect()
  %none = atomicrmw xchg ptr addrspace(1) %same, ptr addrspace(1) %old seq_cst
  call void @collect()
  %back = load ptr addrspace(1), ptr addrspace(1) %same
  %value = load i64, ptr addrspace(1) %back
  ret i64 %value
}
