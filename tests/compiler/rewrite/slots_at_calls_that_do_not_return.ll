; What a call lists is in its record, also if its callee does not return.
; RUN: opt={0,1,2,3} safepoints=none
;--- the function says so
; REGIONS: 1
; IR: attributes #0 = { noreturn }
; IR-NOT: smd-noreturn
declare void @use(ptr)
declare void @end() noreturn
define void @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %slot = alloca ptr addrspace(1)
  store ptr addrspace(1) %o, ptr %slot
  call void @use(ptr %slot)
  call void @end()
  unreachable
}
;--- the call says so
; REGIONS: 1
declare void @use(ptr)
declare void @end()
define void @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %slot = alloca { ptr addrspace(1) }
  store ptr addrspace(1) %o, ptr %slot
  call void @use(ptr %slot)
  call void @end() noreturn nounwind
  unreachable
}
;--- a pin
; SAFEPOINT=1: "pinned":true
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @end(ptr) noreturn
define void @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %p = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  call void @end(ptr %p)
  unreachable
}
;--- a scope
; REGIONS: 1
declare void @llvm.gc.declare(ptr, ptr)
declare void @end() noreturn
define void @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %slot = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %slot, ptr null)
  store volatile ptr addrspace(1) %o, ptr %slot
  call void @end()
  unreachable
}
;--- a tagged reference in a state
; REGIONS: 1
declare void @end() noreturn
declare i64 @smd.gc.to_int(ptr addrspace(1))
define void @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %i = call i64 @smd.gc.to_int(ptr addrspace(1) %o)
  call void @end() [ "deopt"(i64 %i) ]
  unreachable
}
;--- it throws
; RESULT: 10 = 10
declare ptr addrspace(1) @allocate(i64, i64)
declare void @throw_value(ptr addrspace(1)) noreturn
declare i32 @handle_all(...)
define internal void @fill(ptr %slot, i64 %n) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %o
  store ptr addrspace(1) %o, ptr %slot
  ret void
}
define i64 @program(i64 %n) gc "statepoint-example" personality ptr @handle_all {
  %slot = alloca ptr addrspace(1)
  store ptr addrspace(1) null, ptr %slot
  call void @fill(ptr %slot, i64 %n)
  invoke void @throw_value(ptr addrspace(1) null) to label %never unwind label %pad
never:
  unreachable
pad:
  %caught = landingpad token cleanup
  %o = load ptr addrspace(1), ptr %slot
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
}
