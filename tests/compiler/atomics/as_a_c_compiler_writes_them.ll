; Atomic operations of C on references, as clang writes them without its optimiser: by the references' bits, which go
; through slots. What is read is stored at once, or in a later block, and no safepoint lies between.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 5 = 12
;--- an exchange, whose result goes to a slot across a safepoint
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define i64 @program(i64 %n) gc "statepoint-example" {
  %new = alloca ptr addrspace(1)
  %old = alloca ptr addrspace(1)
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  %a = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 %n, ptr addrspace(1) %a
  %f = getelementptr i8, ptr addrspace(1) %o, i64 0
  store ptr addrspace(1) %a, ptr addrspace(1) %f
  %b = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 7, ptr addrspace(1) %b
  store ptr addrspace(1) %b, ptr %new
  %i = load i64, ptr %new
  %f2 = getelementptr i8, ptr addrspace(1) %o, i64 0
  %x = atomicrmw xchg ptr addrspace(1) %f2, i64 %i seq_cst
  store i64 %x, ptr %old
  call void @collect()
  %p = load ptr addrspace(1), ptr %old
  %v = load i64, ptr addrspace(1) %p
  %q = load ptr addrspace(1), ptr addrspace(1) %o
  %w = load i64, ptr addrspace(1) %q
  %r = add i64 %v, %w
  ret i64 %r
}
;--- compared and exchanged in a loop with a safepoint; what was there is stored in a block of its own
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define i64 @program(i64 %n) noinline optnone gc "statepoint-example" {
entry:
  %expected = alloca ptr addrspace(1)
  %desired = alloca ptr addrspace(1)
  %place = alloca ptr addrspace(1)
  %a = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 %n, ptr addrspace(1) %a
  store ptr addrspace(1) %a, ptr %place
  store ptr addrspace(1) null, ptr %expected
  %b = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 7, ptr addrspace(1) %b
  store ptr addrspace(1) %b, ptr %desired
  call void @collect()
  br label %try
try:
  %e = load i64, ptr %expected
  %d = load i64, ptr %desired
  %x = cmpxchg ptr %place, i64 %e, i64 %d seq_cst seq_cst
  %old = extractvalue { i64, i1 } %x, 0
  %done = extractvalue { i64, i1 } %x, 1
  br i1 %done, label %end, label %again
again:
  store i64 %old, ptr %expected
  call void @collect()
  br label %try
end:
  call void @collect()
  %p = load ptr addrspace(1), ptr %expected
  %v = load i64, ptr addrspace(1) %p
  %q = load ptr addrspace(1), ptr %place
  %w = load i64, ptr addrspace(1) %q
  %r = add i64 %v, %w
  ret i64 %r
}
;--- bits that were exchanged into a slot, and are read from it after a safepoint
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define i64 @program(i64 %n) gc "statepoint-example" {
  %place = alloca ptr addrspace(1)
  %a = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 12, ptr addrspace(1) %a
  store ptr addrspace(1) null, ptr %place
  %i = ptrtoint ptr addrspace(1) %a to i64
  %x = cmpxchg ptr %place, i64 0, i64 %i seq_cst seq_cst
  call void @collect()
  %now = load atomic i64, ptr %place seq_cst, align 8
  %p = inttoptr i64 %now to ptr addrspace(1)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
