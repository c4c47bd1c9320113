; The callee may be written as a pointer.
;--- of 2017
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare token @llvm.experimental.gc.statepoint.p0f_isVoidf(i64, i32, void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token, i32, i32)
declare void @g()
define i8 addrspace(1)* @f(i8 addrspace(1)* %p) gc "statepoint-example" {
  %t = call token (i64, i32, void ()*, i32, i32, ...)* @llvm.experimental.gc.statepoint.p0f_isVoidf(i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %p)
  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token %t, i32 7, i32 7)
  ret i8 addrspace(1)* %q
}
;--- typed
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today-2
declare i32 @printf(i8*, ...)
define void ()* @f(i8* %p) {
  %x = call i32 (i8*, ...)* @printf(i8* %p, i32 1)
  ret void ()* null
}
;--- typed, 2
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today-3
declare void ()* @pick()
define void ()* @f(i8* %p) {
  %x = call void ()* @pick()
  ret void ()* %x
}
;--- today
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS: 1
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  %q = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %q
}
;--- today-2
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS: 0
declare i32 @printf(ptr, ...)
define ptr @f(ptr %p) {
  %x = call i32 (ptr, ...) @printf(ptr %p, i32 1)
  ret ptr null
}
;--- today-3
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS: 0
declare ptr @pick()
define ptr @f(ptr %p) {
  %x = call ptr @pick()
  ret ptr %x
}
