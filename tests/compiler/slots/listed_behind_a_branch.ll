; A poll or a barrier with a branch that is inlined in the first block leaves what stands behind it in another block.
; There an alloca has no place in the frame that a record could tell.
; RUN: opt={0,1,2,3} poll=flag:flag:slow
; SAFEPOINT=1 @declared callee=work: "kind":"direct"
; SAFEPOINT=1 @listed callee=work: "kind":"direct"
; SAFEPOINT=1 @statepoint callee=work: "kind":"direct"
; RUN: opt={0,2} safepoints=none
; SAFEPOINT=1 @later callee=work: "kind":"direct"
declare void @leaf() "gc-leaf-function"
declare void @work()
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define ptr addrspace(1) @declared(ptr addrspace(1) %a) gc "statepoint-example" {
entry:
  call void @leaf()
  %s = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %s, ptr inttoptr (i64 7 to ptr))
  store ptr addrspace(1) %a, ptr %s
  call void @work()
  %v = load ptr addrspace(1), ptr %s
  call void @llvm.gc.undeclare(ptr %s)
  ret ptr addrspace(1) %v
}
define ptr addrspace(1) @listed(ptr addrspace(1) %a) gc "statepoint-example" {
entry:
  call void @leaf()
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %a, ptr %s
  call void @work() [ "gc-live"(ptr %s) ]
  %v = load ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
define ptr addrspace(1) @statepoint(ptr addrspace(1) %a) gc "statepoint-example" {
entry:
  call void @leaf()
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %a, ptr %s
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 1, i32 0, ptr elementtype(void ()) @work, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr %s) ]
  %v = load ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
define ptr addrspace(1) @later(ptr addrspace(1) %a) gc "statepoint-example" {
entry:
  br label %go
go:
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %a, ptr %s
  call void @work() [ "gc-live"(ptr %s) ]
  %v = load ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
