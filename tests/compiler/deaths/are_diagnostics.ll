; Deaths are diagnostics.
;--- guard
; RUN: opt=0
; STATUS: codegen_failed
; ERROR: llvm.experimental.guard
declare void @llvm.experimental.guard(i1, ...)
define void @f(i1 %c) {
  call void (i1, ...) @llvm.experimental.guard(i1 %c) [ "deopt"() ]
  ret void
}
;--- comdat
; RUN:
; STATUS: codegen_failed
; ERROR: comdat
$f = comdat largest
define void @f() comdat {
  ret void
}
;--- alling convention 11
; RUN:
; STATUS: codegen_failed
; ERROR: alling convention 11
define cc 11 i64 @f(i64 %x) {
  ret i64 %x
}
;--- llvm.ssa.copy
; RUN:
; STATUS: codegen_failed
; ERROR: llvm.ssa.copy
declare i64 @llvm.ssa.copy.i64(i64)
define i64 @f(i64 %x) {
  %y = call i64 @llvm.ssa.copy.i64(i64 %x)
  ret i64 %y
}
;--- x86
; RUN: target=aarch64-linux-gnu
; STATUS: codegen_failed
; ERROR: llvm.x86.sse2.pause is an intrinsic of another processor
; RUN: target=x86_64-linux-gnu
; STATUS: ok
declare void @llvm.x86.sse2.pause()
define void @f() {
  call void @llvm.x86.sse2.pause()
  ret void
}
;--- llvm.aarch64.dmb is an intrinsic of another processor
; RUN: target=x86_64-linux-gnu
; STATUS: codegen_failed
; ERROR: llvm.aarch64.dmb is an intrinsic of another processor
declare void @llvm.aarch64.dmb(i32)
define void @f() {
  call void @llvm.aarch64.dmb(i32 11)
  ret void
}
;--- thunks
; RUN: safepoints=none target=x86_64-linux-gnu features=+retpoline-indirect-calls
; STATUS: codegen_failed
; ERROR: 'retpoline-indirect-calls' wants a thunk
; RUN: safepoints=none target=x86_64-linux-gnu features=+lvi-cfi opt=0
; STATUS: codegen_failed
; ERROR: wants a thunk
define void @f(ptr %h) gc "statepoint-example" {
  call void %h()
  ret void
}
;--- probe-stack
; RUN: target=aarch64-linux-gnu
; STATUS: codegen_failed
; ERROR: probe-stack
define void @f() "probe-stack"="other" {
  ret void
}
