; An exchange by integers, as LLVM writes one of references: of a slot or a field whose references are kept current.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 5 = 12
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define internal i64 @swap(ptr addrspace(1) %b, i64 %n) noinline gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %b, ptr %s
  %a = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 7, ptr addrspace(1) %a
  %i = ptrtoint ptr addrspace(1) %a to i64
  %old = atomicrmw xchg ptr %s, i64 %i seq_cst
  %p = inttoptr i64 %old to ptr addrspace(1)
  call void @collect()
  %q = load ptr addrspace(1), ptr %s
  %v = load i64, ptr addrspace(1) %p
  %w = load i64, ptr addrspace(1) %q
  %r = add i64 %v, %w
  ret i64 %r
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 %n, ptr addrspace(1) %o
  %r = call i64 @swap(ptr addrspace(1) %o, i64 %n)
  ret i64 %r
}
