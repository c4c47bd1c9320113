; Two slots that are alive one after the other get one place (LLVM's StackColoring, #57725, #126252). While the numbers are
; there it is no reference; the reference that was in the first slot is alive elsewhere.
;--- the record has the slot while it is alive
; RUN: opt={1,2,3} safepoints=none
; SAFEPOINTS @f: 2
; ROOTS @f: 0 1
; REGIONS @f: 1 0
declare void @collect()
declare void @fill(ptr) "gc-leaf-function"
declare void @visit(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %slot = alloca ptr addrspace(1)
  %numbers = alloca [2 x i64]
  call void @llvm.lifetime.start.p0(i64 8, ptr %slot)
  store ptr addrspace(1) %p, ptr %slot
  call void @visit(ptr %slot)
  %q = load ptr addrspace(1), ptr %slot
  call void @llvm.lifetime.end.p0(i64 8, ptr %slot)
  call void @llvm.lifetime.start.p0(i64 16, ptr %numbers)
  call void @fill(ptr %numbers)
  call void @collect()
  call void @fill(ptr %numbers)
  call void @llvm.lifetime.end.p0(i64 16, ptr %numbers)
  ret ptr addrspace(1) %q
}
;--- and the program runs
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 7 = 63
; RESULT: --leave-out 0 7 != 63
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

define void @pass(ptr %slot) noinline gc "statepoint-example" {
  %other = call ptr addrspace(1) @allocate(i64 16, i64 0)
  call void @collect()
  %p = load ptr addrspace(1), ptr %slot
  %v = load i64, ptr addrspace(1) %p
  store i64 %v, ptr addrspace(1) %other
  store ptr addrspace(1) %other, ptr %slot
  ret void
}

define void @fill(ptr %numbers, i64 %n) noinline "gc-leaf-function" {
  store volatile i64 %n, ptr %numbers
  %second = getelementptr i64, ptr %numbers, i64 1
  store volatile i64 3, ptr %second
  ret void
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %slot = alloca ptr addrspace(1)
  %numbers = alloca [2 x i64]
  %p = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 49, ptr addrspace(1) %p
  call void @llvm.lifetime.start.p0(i64 8, ptr %slot)
  store ptr addrspace(1) %p, ptr %slot
  call void @pass(ptr %slot)
  %q = load ptr addrspace(1), ptr %slot
  call void @llvm.lifetime.end.p0(i64 8, ptr %slot)
  call void @llvm.lifetime.start.p0(i64 16, ptr %numbers)
  call void @fill(ptr %numbers, i64 %n)
  call void @collect()
  %a = load volatile i64, ptr %numbers
  call void @fill(ptr %numbers, i64 %a)
  call void @collect()
  %b = load volatile i64, ptr %numbers
  call void @llvm.lifetime.end.p0(i64 16, ptr %numbers)
  %v = load i64, ptr addrspace(1) %q
  %s = add i64 %a, %b
  %r = add i64 %s, %v
  ret i64 %r
}
