; A callee that is cast from a relocated reference, which is one of a statepoint's results in registers.
; RUN: opt=2 gc_registers=6 safepoints=none target=x86_64-linux-gnu
; DISASM @f: callq *%r14
declare void @collect()

define void @f(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) gc "statepoint-example" {
  call void @collect()
  %code = addrspacecast ptr addrspace(1) %b to ptr
  call void %code(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c)
  ret void
}
