; A parameter on the stack may stay where the caller put it: as a slot whose copy is elided, as a deoptimisation value,
; byval. While arguments are pushed in a realigned frame, LLVM would tell that place 16 bytes off: none are pushed.
; RUN: opt={1,2,3} safepoints=none target=x86_64-linux-gnu
; SAFEPOINT=1 @slot callee=callee: "regions":[{"kind":"direct","register":"rbp","dwarf":6,"offset":16,
; SAFEPOINT=2 @slot callee=use: "regions":[{"kind":"direct","register":"rbp","dwarf":6,"offset":16,
; SAFEPOINT=1 @deopt callee=callee: "deopt":[{"kind":"indirect","register":"rbp","dwarf":6,"offset":24,
; SAFEPOINT=1 @byval callee=callee: "deopt":[{"kind":"direct","register":"rbp","dwarf":6,"offset":16,
; META: -no-x86-call-frame-opt=true
declare void @callee(i64, i64, i64, i64, i64, i64, i64, i64)
declare void @use(ptr)
define i64 @slot(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %g, ptr addrspace(1) %o) gc "statepoint-example" {
  %big = alloca [64 x i8], align 64
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %o, ptr %s
  call void @use(ptr %s)
  call void @use(ptr %big)
  call void @callee(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %g, i64 %a, i64 %b)
  %v = load ptr addrspace(1), ptr %s
  %x = load i64, ptr addrspace(1) %v
  ret i64 %x
}
define i64 @deopt(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %g, ptr addrspace(1) %o, i64 %p) gc "statepoint-example" {
  %big = alloca [64 x i8], align 64
  call void @use(ptr %big)
  call void @callee(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %g, i64 %a, i64 %b) "deopt-lowering"="live-in" [ "deopt"(i64 %p, ptr addrspace(1) %o) ]
  ret i64 0
}
define i64 @byval(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %g, ptr byval({ i64, i64 }) %s) gc "statepoint-example" {
  %big = alloca [64 x i8], align 64
  call void @use(ptr %big)
  call void @callee(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %g, i64 %a, i64 %b) [ "deopt"(ptr %s, i64 1) ]
  %x = load i64, ptr %s
  ret i64 %x
}
