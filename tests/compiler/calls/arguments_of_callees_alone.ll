; A call's record need not have an argument that only the callee uses, where the callee's own records have it.
;--- a function of the module
; RUN: opt={1,2,3} safepoints=none gc_registers={0,32}
; ROOTS @program: 0 0 0 1
; ROOTS @first: 1
; SAME-AS: ir
; RESULT: 10 = 43
; RESULT: --leave-out 0 10 != 43
; RUN: opt={1,2,3} safepoints=none elide=leaf
; ROOTS @program: 0 1 0 1
; RESULT: 10 = 43
; RUN: opt=0 safepoints=none
; ROOTS @program: 0 1 0 1
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 11, ptr addrspace(1) %o
  %a = call i64 @first(ptr addrspace(1) %o)
  %p = call ptr addrspace(1) @second(i64 %a)
  %b = call i64 @first(ptr addrspace(1) %p)
  %v = load i64, ptr addrspace(1) %p
  %ab = add i64 %a, %b
  %sum = add i64 %ab, %v
  ret i64 %sum
}
define internal i64 @first(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  call void @collect()
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
}
define internal ptr addrspace(1) @second(i64 %v) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %w = sub i64 %v, -5
  store i64 %w, ptr addrspace(1) %o
  ret ptr addrspace(1) %o
}
;--- of other functions nothing is known
; RUN: opt={1,2,3} safepoints=none
; ROOTS @f: 1
; ROOTS @g: 1
; ROOTS @h: 1
; ROOTS @i: 1
; ROOTS @j: 1
; ROOTS @k: 1
; ROOTS @l: 1
; ROOTS @m: 0
; ROOTS @n: 1
declare void @declared(ptr addrspace(1))
define internal void @tail(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  musttail call void @declared(ptr addrspace(1) %o)
  ret void
}
define internal void @no_strategy(ptr addrspace(1) %o) noinline {
  call void @declared(ptr addrspace(1) %o)
  ret void
}
define linkonce_odr void @replaced(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  call void @declared(ptr addrspace(1) %o)
  ret void
}
define internal void @known(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  call void @declared(ptr addrspace(1) %o)
  ret void
}
define void @f(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @declared(ptr addrspace(1) %o)
  ret void
}
define void @g(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @tail(ptr addrspace(1) %o)
  ret void
}
define void @h(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @no_strategy(ptr addrspace(1) %o)
  ret void
}
define void @i(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @replaced(ptr addrspace(1) %o)
  ret void
}
define void @j(ptr addrspace(1) %o, ptr %callee) gc "statepoint-example" {
  call void %callee(ptr addrspace(1) %o)
  ret void
}
define void @k(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @known(ptr addrspace(1) %o) "statepoint-id"="7"
  ret void
}
define void @l(ptr addrspace(1) %o) gc "statepoint-example" {
  %derived = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @known(ptr addrspace(1) %derived)
  ret void
}
define void @m(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @known(ptr addrspace(1) %o)
  ret void
}
define internal void @patched(ptr addrspace(1) %o) noinline "patchable-function-entry"="2" gc "statepoint-example" {
  call void @declared(ptr addrspace(1) %o)
  ret void
}
define void @n(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @patched(ptr addrspace(1) %o)
  ret void
}
