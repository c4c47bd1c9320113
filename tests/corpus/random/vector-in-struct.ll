; random: target=aarch64-unknown-linux-gnu opt=1 poll=call:collect safepoints=none
; compile: compiler_crashed: the compiler's process ended by SIGSEGV
; LLVM's rewrite looked for the bases of a vector that is taken out of a struct.

declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define ptr addrspace(1) @box(i64 %v) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %v, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
define { <2 x ptr addrspace(1)>, { i8, ptr addrspace(1) } } @mk() noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @box(i64 7)
  %q = call ptr addrspace(1) @box(i64 11)
  %v0 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %o, i32 0
  %v1 = insertelement <2 x ptr addrspace(1)> %v0, ptr addrspace(1) %q, i32 1
  %s = insertvalue { <2 x ptr addrspace(1)>, { i8, ptr addrspace(1) } } poison, <2 x ptr addrspace(1)> %v1, 0
  %s1 = insertvalue { <2 x ptr addrspace(1)>, { i8, ptr addrspace(1) } } %s, ptr addrspace(1) %q, 1, 1
  ret { <2 x ptr addrspace(1)>, { i8, ptr addrspace(1) } } %s1
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %s = call { <2 x ptr addrspace(1)>, { i8, ptr addrspace(1) } } @mk()
  call void @collect()
  %v = extractvalue { <2 x ptr addrspace(1)>, { i8, ptr addrspace(1) } } %s, 0
  %i = and i64 %n, 1
  %a = extractelement <2 x ptr addrspace(1)> %v, i64 %i
  %b = extractvalue { <2 x ptr addrspace(1)>, { i8, ptr addrspace(1) } } %s, 1, 1
  call void @collect()
  %x = load i64, ptr addrspace(1) %a
  %y = load i64, ptr addrspace(1) %b
  %z = sub i64 %x, %y
  ret i64 %z
}
