; Code generation crashes over a parameter of a naked function, which has no value.
;--- without a strategy
; RUN: opt={0,2}
; STATUS: codegen_failed
; ERROR @f: Parameter 2 of this naked function is used
declare void @use(i64)
define i64 @f(i64 %unused, i64 %v) naked {
  call void @use(i64 %v)
  ret i64 1
}
;--- with roots
; RUN: opt={0,2}
; STATUS: codegen_failed
; ERROR @f: Parameter 2 of this naked function is used
declare void @llvm.gcroot(ptr, ptr)
define ptr @f(i64 %unused, ptr %v) naked gc "shadow-stack" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %v, ptr %s
  ret ptr null
}
;--- assembly knows where it is
; RUN: opt={0,2}
; STATUS: ok
; DISASM @f: ret
define i64 @f(i64 %v) naked {
  call void asm sideeffect "ret", ""()
  unreachable
}
