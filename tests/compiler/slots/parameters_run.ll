; A seventh parameter in a slot, in a realigned frame, while arguments are pushed.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 7 = 7
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @llvm.gc.declare(ptr, ptr)
define internal void @callee(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h) noinline gc "statepoint-example" {
  call void @collect()
  ret void
}
define internal void @touch(ptr %p) noinline "gc-leaf-function" {
  call void asm sideeffect "", "r,~{memory}"(ptr %p)
  ret void
}
define internal i64 @work(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %g, i64 %h, i64 %i, ptr addrspace(1) %o) noinline gc "statepoint-example" {
  %big = alloca [64 x i8], align 64
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %o, ptr %s
  call void @touch(ptr %s)
  call void @touch(ptr %big)
  call void @callee(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %g, i64 %h, i64 %i)
  %v = load ptr addrspace(1), ptr %s
  %x = load i64, ptr addrspace(1) %v
  ret i64 %x
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 %n, ptr addrspace(1) %o
  %r = call i64 @work(i64 1, i64 %n, i64 %n, i64 %n, i64 %n, i64 %n, i64 %n, i64 %n, ptr addrspace(1) %o)
  ret i64 %r
}
