; An index beyond a statepoint's operands is an error that names the call.
; RUN: opt={0,2} safepoints=none
; STATUS: invalid_module
; ERROR @f: gc.relocate's indexes are not those of gc arguments of its statepoint
declare void @foo()
declare token @llvm.experimental.gc.statepoint.p0f_isVoidf(i64, i32, void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token, i32, i32)
define i8 addrspace(1)* @f(i8 addrspace(1)* %o) gc "statepoint-example" {
entry:
  %t = call token (i64, i32, void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(i64 0, i32 0, void ()* @foo, i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %o)
  %r = call coldcc i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token %t, i32 -1, i32 7)
  ret i8 addrspace(1)* %r
}
