; References are no integers to the optimiser.
; RUN: safepoints=none opt=0
; ROOTS: 1 1
; RUN: safepoints=none
; ROOTS: 1 1
; META=1: --data-layout=
declare void @g()
declare void @use(ptr addrspace(1))
define i64 @f(ptr addrspace(1) %o, i1 %c) gc "statepoint-example" {
  %v = load i64, ptr addrspace(1) %o
  %q = load ptr addrspace(1), ptr addrspace(1) %o
  call void @g()
  br i1 %c, label %a, label %b
a:
  call void @use(ptr addrspace(1) %q)
  ret i64 0
b:
  ret i64 %v
}
