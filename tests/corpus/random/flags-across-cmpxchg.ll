; random: target=aarch64-unknown-linux-gnu opt=0 poll=call:collect safepoints=none
; load: failed: memory is touched that is not there: signal 11 in program; exit status 1
; Code generation answered the comparison from before the exchange by that of the exchange.

declare ptr addrspace(1) @allocate(i64, i64)

declare void @collect()

define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %field = getelementptr i8, ptr addrspace(1) %a, i64 8
  %other = load ptr addrspace(1), ptr addrspace(1) %field
  %none = icmp eq ptr addrspace(1) %a, null
  %p = select i1 %none, ptr addrspace(1) %other, ptr addrspace(1) %a
  %both = cmpxchg ptr addrspace(1) %field, ptr addrspace(1) null, ptr addrspace(1) %p seq_cst seq_cst
  %q = select i1 %none, ptr addrspace(1) null, ptr addrspace(1) %a
  %word = getelementptr i8, ptr addrspace(1) %q, i64 24
  %v = load i64, ptr addrspace(1) %word
  ret i64 %v
}
