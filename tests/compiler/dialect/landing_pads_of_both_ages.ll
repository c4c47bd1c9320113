; Landing pads of both ages.
;--- of 2017
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare token @llvm.experimental.gc.statepoint.p0f_isVoidf(i64, i32, void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token, i32, i32)
declare i32 @persona(...)
declare void @g()
define i8 addrspace(1)* @f(i8 addrspace(1)* %p) gc "statepoint-example" personality i32 (...)* @persona {
entry:
  %t = invoke token (i64, i32, void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(i64 2882400000, i32 0, void ()* @g, i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %p)
          to label %ok unwind label %bad
ok:
  %a = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token %t, i32 7, i32 7)
  ret i8 addrspace(1)* %a
bad:
  %u = landingpad token
          cleanup
  %b = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(token %u, i32 7, i32 7)
  ret i8 addrspace(1)* %b
}
;--- of 2015
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare i32 @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32, i32, i32)
declare i32 @persona(...)
declare void @g()
define i8 addrspace(1)* @f(i8 addrspace(1)* %p) gc "statepoint-example" personality i32 (...)* @persona {
entry:
  %t = invoke i32 (void ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()* @g, i32 0, i32 0, i32 0, i32 0, i8 addrspace(1)* %p)
          to label %ok unwind label %bad
ok:
  %a = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 %t, i32 5, i32 5)
  ret i8 addrspace(1)* %a
bad:
  %pad = landingpad { i8*, i32 }
          cleanup
  %u = extractvalue { i8*, i32 } %pad, 1
  %b = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 %u, i32 5, i32 5)
  ret i8 addrspace(1)* %b
}
;--- today
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS: 1
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare i32 @persona(...)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" personality ptr @persona {
entry:
  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2882400000, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p) ]
          to label %ok unwind label %bad
ok:
  %a = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %a
bad:
  %u = landingpad token
          cleanup
  %b = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %u, i32 0, i32 0)
  ret ptr addrspace(1) %b
}
