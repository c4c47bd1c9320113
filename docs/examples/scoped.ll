; Roots with a scope: a slot is one between declare and undeclare, a value for as long as it is used.
;
;   curl --data-binary @docs/examples/scoped.ll 'http://127.0.0.1:8199/v1/compile?safepoints=none'
; gives: "regions":[{"kind":"direct"

declare ptr addrspace(1) @allocate(i64)
declare i64 @weigh(ptr addrspace(1))
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
@box = constant i64 8

define i64 @slot() gc "statepoint-example" {
  %slot = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %slot, ptr @box)
  %new = call ptr addrspace(1) @allocate(i64 8)
  store ptr addrspace(1) %new, ptr %slot
  %other = call ptr addrspace(1) @allocate(i64 8)
  %moved = load ptr addrspace(1), ptr %slot
  call void @llvm.gc.undeclare(ptr %slot)
  %weight = call i64 @weigh(ptr addrspace(1) %moved)
  ret i64 %weight
}

define i64 @value(ptr addrspace(1) %object) gc "statepoint-example" {
  call void @llvm.gc.value.p1(ptr addrspace(1) %object, ptr @box)
  %new = call ptr addrspace(1) @allocate(i64 8)
  %weight = call i64 @weigh(ptr addrspace(1) %object)
  ret i64 %weight
}
