; Atomic operations write a reference's bits to memory as stores do, and read them as loads do: what is read after a
; safepoint is stale.
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR: A reference is cast by
;--- exchanged into a slot
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
@g = external global i64
define i64 @program(i64 %n) gc "statepoint-example" {
  %s = alloca i64
  store i64 0, ptr %s
  %a = call ptr addrspace(1) @allocate(i64 32, i64 0)
  %i = ptrtoint ptr addrspace(1) %a to i64
  %x = atomicrmw xchg ptr %s, i64 %i seq_cst
  call void @collect()
  %l = load i64, ptr %s
  %p = inttoptr i64 %l to ptr addrspace(1)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- compared and exchanged into a slot
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
@g = external global i64
define i64 @program(i64 %n) gc "statepoint-example" {
  %s = alloca i64
  store i64 0, ptr %s
  %a = call ptr addrspace(1) @allocate(i64 32, i64 0)
  %i = ptrtoint ptr addrspace(1) %a to i64
  %x = cmpxchg ptr %s, i64 0, i64 %i seq_cst seq_cst
  call void @collect()
  %l = load i64, ptr %s
  %p = inttoptr i64 %l to ptr addrspace(1)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- into a global, and read by an exchange
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
@g = external global i64
define i64 @program(i64 %n) gc "statepoint-example" {
  %s = alloca i64
  store i64 0, ptr %s
  %a = call ptr addrspace(1) @allocate(i64 32, i64 0)
  %i = ptrtoint ptr addrspace(1) %a to i64
  %x = atomicrmw or ptr @g, i64 %i seq_cst
  call void @collect()
  %l = atomicrmw xchg ptr @g, i64 0 seq_cst
  %p = inttoptr i64 %l to ptr addrspace(1)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- into a global, and read by a cmpxchg
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
@g = external global i64
define i64 @program(i64 %n) gc "statepoint-example" {
  %s = alloca i64
  store i64 0, ptr %s
  %a = call ptr addrspace(1) @allocate(i64 32, i64 0)
  %i = ptrtoint ptr addrspace(1) %a to i64
  store i64 %i, ptr @g
  call void @collect()
  %x = cmpxchg ptr @g, i64 0, i64 0 seq_cst seq_cst
  %l = extractvalue { i64, i1 } %x, 0
  %p = inttoptr i64 %l to ptr addrspace(1)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- a reference whose bits an atomic operation reads
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
@g = external global i64
define i64 @program(i64 %n) gc "statepoint-example" {
  %s = alloca i64
  store i64 0, ptr %s
  %a = call ptr addrspace(1) @allocate(i64 32, i64 0)
  %i = ptrtoint ptr addrspace(1) %a to i64
  %x = atomicrmw xchg ptr %s, ptr addrspace(1) %a seq_cst
  %l = atomicrmw add ptr %s, i64 0 seq_cst
  call void @collect()
  %p = inttoptr i64 %l to ptr addrspace(1)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- by two addresses of one place
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
@g = external global i64
define i64 @program(i64 %n) gc "statepoint-example" {
  %s = alloca i64
  store i64 0, ptr %s
  %a = call ptr addrspace(1) @allocate(i64 32, i64 0)
  %i = ptrtoint ptr addrspace(1) %a to i64
  %t = alloca [2 x i64]
  %t1 = getelementptr [2 x i64], ptr %t, i64 0, i64 1
  %x = atomicrmw xchg ptr %t1, i64 %i seq_cst
  call void @collect()
  %t2 = getelementptr [2 x i64], ptr %t, i64 0, i64 1
  %l = load i64, ptr %t2
  %p = inttoptr i64 %l to ptr addrspace(1)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
