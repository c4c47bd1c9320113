; Results and indirect callees.
;--- of 2017
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare token @llvm.experimental.gc.statepoint.p0f_i64i64f(i64, i32, i64 (i64)*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token, i32, i32)
declare i64 @llvm.experimental.gc.result.i64(token)
define i64 @f(i64 (i64)* %g, i64 addrspace(1)* %p) gc "statepoint-example" {
  %c = bitcast i64 addrspace(1)* %p to i8 addrspace(1)*
  %t = call token (i64, i32, i64 (i64)*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_i64i64f(i64 2882400000, i32 0, i64 (i64)* %g, i32 1, i32 0, i64 5, i32 0, i32 0, i8 addrspace(1)* %c)
  %r = call i64 @llvm.experimental.gc.result.i64(token %t)
  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token %t, i32 8, i32 8)
  %b = bitcast i8 addrspace(1)* %q to i64 addrspace(1)*
  %v = load i64, i64 addrspace(1)* %b
  %s = add i64 %r, %v
  ret i64 %s
}
;--- of 2015
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32, i32, i32)
declare i64 @llvm.experimental.gc.result.int.i64(i32)
declare i32 @llvm.experimental.gc.statepoint.p0f_i64i64f(i64 (i64)*, i32, i32, ...)
define i64 @f(i64 (i64)* %g, i64 addrspace(1)* %p) gc "statepoint-example" {
  %c = bitcast i64 addrspace(1)* %p to i8 addrspace(1)*
  %t = call i32 (i64 (i64)*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_i64i64f(i64 (i64)* %g, i32 1, i32 0, i64 5, i32 0, i32 0, i8 addrspace(1)* %c)
  %r = call i64 @llvm.experimental.gc.result.int.i64(i32 %t)
  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 %t, i32 6, i32 6)
  %b = bitcast i8 addrspace(1)* %q to i64 addrspace(1)*
  %v = load i64, i64 addrspace(1)* %b
  %s = add i64 %r, %v
  ret i64 %s
}
;--- today
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS: 1
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare i64 @llvm.experimental.gc.result.i64(token)
define i64 @f(ptr %g, ptr addrspace(1) %p) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2882400000, i32 0, ptr elementtype(i64 (i64)) %g, i32 1, i32 0, i64 5, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
  %r = call i64 @llvm.experimental.gc.result.i64(token %t)
  %q = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  %v = load i64, ptr addrspace(1) %q
  %s = add i64 %r, %v
  ret i64 %s
}
