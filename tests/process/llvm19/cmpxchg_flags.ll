; A comparison from before a cmpxchg is answered by that of the exchange: its flags are read behind the loop.
; COMMAND: llc-19 -O0 -mtriple=aarch64-linux-gnu -mattr=-lse %s -o -
; FAULT: stlxr.*\n.*\n\.LBB0_3:\n\tcsel
declare ptr addrspace(1) @allocate(i64)
define i64 @f(i64 %n) {
  %a = call ptr addrspace(1) @allocate(i64 88)
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
