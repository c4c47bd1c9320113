; What a handler of today cannot have both of.
;--- whose exception is used as well
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: whose exception is used as well
declare i32 @llvm.experimental.gc.statepoint.p0f_isVoidf(void ()*, i32, i32, ...)
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32, i32, i32)
declare void @out(i8*)
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
  %e = extractvalue { i8*, i32 } %pad, 0
  call void @out(i8* %e)
  %u = extractvalue { i8*, i32 } %pad, 1
  %b = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 %u, i32 5, i32 5)
  ret i8 addrspace(1)* %b
}
;--- not what a gc.statepoint gives
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: not what a gc.statepoint gives
declare i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32, i32, i32)
define i8 addrspace(1)* @f(i32 %t) gc "statepoint-example" {
  %q = call i8 addrspace(1)* @llvm.experimental.gc.relocate.p1i8(i32 %t, i32 5, i32 5)
  ret i8 addrspace(1)* %q
}
