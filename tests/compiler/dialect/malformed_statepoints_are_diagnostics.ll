; Malformed statepoints are diagnostics.
;--- indexes are not those of gc arguments
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: indexes are not those of gc arguments
declare token @llvm.experimental.gc.statepoint.p0f_isVoidf(i64, i32, void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token, i32, i32)
declare void @g()
define i8 addrspace(1)* @f(i8 addrspace(1)* %p) gc "statepoint-example" {
  %t = call token (i64, i32, void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %p)
  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token %t, i32 6, i32 7)
  ret i8 addrspace(1)* %q
}
;--- indexes are not those of gc arguments, 2
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: indexes are not those of gc arguments
declare token @llvm.experimental.gc.statepoint.p0f_isVoidf(i64, i32, void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token, i32, i32)
declare void @g()
define i8 addrspace(1)* @f(i8 addrspace(1)* %p) gc "statepoint-example" {
  %t = call token (i64, i32, void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %p)
  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token %t, i32 8, i32 8)
  ret i8 addrspace(1)* %q
}
;--- counts of transition and deopt arguments
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: counts of transition and deopt arguments
declare token @llvm.experimental.gc.statepoint.p0f_isVoidf(i64, i32, void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token, i32, i32)
declare void @g()
define i8 addrspace(1)* @f(i8 addrspace(1)* %p) gc "statepoint-example" {
  %t = call token (i64, i32, void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 9, i8 addrspace(1)* %p)
  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token %t, i32 7, i32 7)
  ret i8 addrspace(1)* %q
}
;--- counts of transition and deopt arguments, 2
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: counts of transition and deopt arguments
declare token @llvm.experimental.gc.statepoint.p0f_isVoidf(i64, i32, void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token, i32, i32)
declare void @g()
define i8 addrspace(1)* @f(i8 addrspace(1)* %p) gc "statepoint-example" {
  %t = call token (i64, i32, void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(i64 7, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 -1, i8 addrspace(1)* %p)
  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token %t, i32 7, i32 7)
  ret i8 addrspace(1)* %q
}
;--- fewer arguments than its count
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: fewer arguments than its count
declare token @llvm.experimental.gc.statepoint.p0f_isVoidf(i64, i32, void ()*, i32, i32, ...)
declare void @g()
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(i64 7, i32 0, void ()* @g, i32 4, i32 0, i32 0, i32 0)
  ret void
}
;--- token is used by something else
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: token is used by something else
declare i32 @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()*, i32, i32, ...)
declare void @g()
define i32 @f(i1 %c) gc "statepoint-example" {
entry:
  %t = call i32 (void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()* @g, i32 0, i32 0, i32 0, i32 0)
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %x = phi i32 [ %t, %entry ], [ %t, %a ]
  ret i32 %x
}
