; A value may stand in "gc-live" twice: it is one root.
; RUN: opt={0,2} safepoints=none
; ROOTS @one: 1
; ROOTS @alone: 2
; ROOTS @plain: 1
; SAME-AS: ir
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @f()

define ptr addrspace(1) @one(ptr addrspace(1) %a) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @f, i32 0, i32 0, i32 0, i32 0) ["gc-live"(ptr addrspace(1) %a, ptr addrspace(1) %a)]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}

define ptr addrspace(1) @alone(ptr addrspace(1) %a) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %a, i64 8
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @f, i32 0, i32 0, i32 0, i32 0) ["gc-live"(ptr addrspace(1) %a, ptr addrspace(1) %a, ptr addrspace(1) %d, ptr addrspace(1) %d)]
  ret ptr addrspace(1) %d
}

define ptr addrspace(1) @plain(ptr addrspace(1) %a) gc "statepoint-example" {
  call void @f() ["gc-live"(ptr addrspace(1) %a, ptr addrspace(1) %a)]
  ret ptr addrspace(1) %a
}
