; Statepoints of 2015.
;--- of 2015
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare i32 @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32, i32, i32)
declare void @g()
define i8 addrspace(1)* @f(i8 addrspace(1)* %p) gc "statepoint-example" {
  %t = call i32 (void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()* @g, i32 0, i32 0, i32 0, i8 addrspace(1)* %p)
  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 %t, i32 4, i32 4)
  ret i8 addrspace(1)* %q
}
;--- of 2015, 2
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare i32 @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32, i32, i32)
declare void @g()
define i8 addrspace(1)* @f(i8 addrspace(1)* %p) gc "statepoint-example" {
  %t = call i32 (void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()* @g, i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %p)
  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 %t, i32 5, i32 5)
  ret i8 addrspace(1)* %q
}
;--- today
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS: 1
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2882400000, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  %q = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %q
}
