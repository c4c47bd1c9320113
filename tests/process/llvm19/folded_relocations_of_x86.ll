; One of two relocated vectors that are wider than a register has code generation compute with addresses in the stack
; pointer, and crash.
; COMMAND: opt-19 -S -passes=rewrite-statepoints-for-gc %s | llc-19 -mtriple=x86_64-linux-gnu -o -
; FAULT: exit status -[1-9]
declare void @g()
define <4 x ptr addrspace(1)> @f(<4 x ptr addrspace(1)> %a, <4 x ptr addrspace(1)> %b, i1 %c) gc "statepoint-example" {
  call void @g()
  %s = select i1 %c, <4 x ptr addrspace(1)> %a, <4 x ptr addrspace(1)> %b
  ret <4 x ptr addrspace(1)> %s
}
