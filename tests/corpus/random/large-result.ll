; random: target=x86_64-unknown-linux-gnu opt=2 poll=call:collect safepoints=none
; load: failed: memory is touched that is not there: signal 11 in program; exit status 1
; The statepoint passed no address for a result that is too large for registers.

declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define ptr addrspace(1) @box(i64 %v) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %v, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
define <16 x ptr addrspace(1)> @mk(i64 %n) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @box(i64 %n)
  %v = insertelement <16 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %o, i32 14
  ret <16 x ptr addrspace(1)> %v
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @box(i64 7)
  %r = call <16 x ptr addrspace(1)> @mk(i64 %n)
  call void @collect()
  %p = extractelement <16 x ptr addrspace(1)> %r, i32 14
  %v = load i64, ptr addrspace(1) %o
  %w = load i64, ptr addrspace(1) %p
  %s = add i64 %w, %v
  ret i64 %s
}
