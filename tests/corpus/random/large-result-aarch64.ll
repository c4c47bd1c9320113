; random: target=aarch64-unknown-linux-gnu opt=0 poll=call:collect safepoints=none
; load: failed: memory is touched that is not there: signal 11 in program; exit status 1
; The statepoint passed no address for a result that is too large for registers.

declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define ptr addrspace(1) @box(i64 %v) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %v, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
define i600 @mk(i64 %n) noinline gc "statepoint-example" {
  call void @collect()
  %z = zext i64 %n to i600
  %s = shl i600 %z, 550
  ret i600 %s
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @box(i64 7)
  %r = call i600 @mk(i64 %n)
  %q = lshr i600 %r, 550
  %p = trunc i600 %q to i64
  %v = load i64, ptr addrspace(1) %o
  %s = add i64 %p, %v
  ret i64 %s
}
