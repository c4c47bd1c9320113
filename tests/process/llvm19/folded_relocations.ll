; A relocated reference that becomes one lane of a vector has code generation divide by zero.
; COMMAND: opt-19 -S -passes=rewrite-statepoints-for-gc %s | llc-19 -mtriple=aarch64-linux-gnu -o -
; FAULT: exit status -[1-9]
declare void @g()
define <2 x ptr addrspace(1)> @f(ptr addrspace(1) %a, ptr %p) gc "statepoint-example" {
  call void @g()
  %v = load <2 x ptr addrspace(1)>, ptr %p
  %w = insertelement <2 x ptr addrspace(1)> %v, ptr addrspace(1) %a, i32 1
  ret <2 x ptr addrspace(1)> %w
}
