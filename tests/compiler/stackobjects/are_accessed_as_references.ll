; An object that escape analysis put on the stack, used as a reference: no record lists it, its fields are a region,
; and what is read after a safepoint is read where the slot is.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 5 = 18
; ROOTS @fields: 0
; REGIONS @fields: 1
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define internal i64 @peek(ptr addrspace(1) %r) noinline "gc-leaf-function" {
  %v = load volatile i64, ptr addrspace(1) %r
  ret i64 %v
}
define internal void @keep(ptr %p) noinline "gc-leaf-function" {
  call void asm sideeffect "", "r,~{memory}"(ptr %p)
  ret void
}
define i64 @fields(i64 %n, ptr addrspace(1) %h) noinline gc "statepoint-example" {
  %s = alloca { i64, ptr addrspace(1) }, align 8
  call void @keep(ptr %s)
  %r = addrspacecast ptr %s to ptr addrspace(1)
  store i64 %n, ptr addrspace(1) %r
  %f = getelementptr i8, ptr addrspace(1) %r, i64 8
  store ptr addrspace(1) %h, ptr addrspace(1) %f
  call void @collect()
  %w = load i64, ptr addrspace(1) %r
  %x = load ptr addrspace(1), ptr addrspace(1) %f
  %y = load i64, ptr addrspace(1) %x
  %p = call i64 @peek(ptr addrspace(1) %r)
  %z = add i64 %w, %y
  %zz = add i64 %z, %p
  ret i64 %zz
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 8, ptr addrspace(1) %o
  %r = call i64 @fields(i64 %n, ptr addrspace(1) %o)
  ret i64 %r
}
