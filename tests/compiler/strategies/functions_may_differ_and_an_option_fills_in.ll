; Functions may differ and an option fills in.
;--- %a = alloca ptr
; RUN: safepoints=none
; STACKMAP=1: "name":"f"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  call void @g()
  ret ptr addrspace(1) %p
}
declare void @llvm.gcroot(ptr, ptr)
@meta = constant i32 5
define void @two() gc "shadow-stack" {
  %a = alloca ptr
  %b = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null)
  call void @llvm.gcroot(ptr %b, ptr @meta)
  store ptr null, ptr %a
  store ptr null, ptr %b
  call void @g()
  call void @g()
  ret void
}
;--- define ref @f(ref %p) {
; RUN: safepoints=none gc=coreclr
; SAFEPOINTS: 1
; RUN: safepoints=none
; STACKMAP-NOT: "kind"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) {
  call void @g()
  ret ptr addrspace(1) %p
}
