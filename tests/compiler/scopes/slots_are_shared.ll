; Slots whose scopes are apart may share a place; nobody else's may.
; RUN: opt=2 safepoints=none
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @g()
@meta = constant i32 1

;--- apart
; IR=1: alloca
; REGIONS @f: 1
; SAFEPOINTS @f: 3
define void @f(ptr addrspace(1) %r) noinline optnone gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr @meta)
  call void @g()
  store ptr addrspace(1) %r, ptr %a
  call void @g()
  call void @llvm.gc.undeclare(ptr %a)
  call void @llvm.gc.declare(ptr %b, ptr @meta)
  store ptr addrspace(1) %r, ptr %b
  call void @g()
  call void @llvm.gc.undeclare(ptr %b)
  ret void
}
