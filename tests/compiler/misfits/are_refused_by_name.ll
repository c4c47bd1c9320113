; Misfits are refused by name.
;--- va_arg
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: va_arg
declare void @g()
declare void @llvm.va_start.p0(ptr)
define ptr addrspace(1) @f(i32 %n, ...) gc "statepoint-example" {
  %l = alloca [4 x i64]
  call void @llvm.va_start.p0(ptr %l)
  call void @g()
  %v = va_arg ptr %l, ptr addrspace(1)
  ret ptr addrspace(1) %v
}
;--- return twice
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: return twice
declare i32 @setjmp(ptr) returns_twice
@jump = global [64 x i64] zeroinitializer
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %r = call i32 @setjmp(ptr @jump)
  %z = icmp eq i32 %r, 0
  br i1 %z, label %a, label %b
a:
  call void @g()
  ret ptr addrspace(1) null
b:
  ret ptr addrspace(1) %p
}
;--- patchpoint
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: patchpoint
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 1, i32 16, ptr @g, i32 0)
  ret ptr addrspace(1) %p
}
;--- naked
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: naked
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) naked gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) null
}
;--- "kcfi" operands
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: "kcfi" operands
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %t = inttoptr i64 %i to ptr
  call void %t() [ "kcfi"(i32 5) ]
  ret ptr addrspace(1) %p
}
;--- callbr
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: callbr
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %r = callbr ptr addrspace(1) asm "", "=r,0,!i"(ptr addrspace(1) %p) to label %a [label %b]
a:
  call void @g()
  ret ptr addrspace(1) %r
b:
  ret ptr addrspace(1) %p
}
;--- coroutine
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: coroutine
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) presplitcoroutine gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
;--- scalable vector
; RUN: safepoints=none target=x86_64-linux-gnu
; STATUS: codegen_failed
; ERROR: scalable vector
; RUN: safepoints=none target=aarch64-linux-gnu
; STATUS: cannot_rewrite
; ERROR: ptr addrspace(1)
declare void @g()
define <vscale x 2 x ptr addrspace(1)> @f(<vscale x 2 x ptr addrspace(1)> %p) gc "statepoint-example" {
  call void @g()
  ret <vscale x 2 x ptr addrspace(1)> %p
}
;--- pass it byval
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: pass it byval
declare void @g()
define ptr addrspace(1) @f(ptr inalloca({ ptr addrspace(1) }) %s) gc "statepoint-example" {
  call void @g()
  %v = load ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
