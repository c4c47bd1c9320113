; A deoptimization is a safepoint: the collector is told of slots that others know, of declared ones
; and of pins.
; RUN: safepoints=none opt={0,2}
;--- %s = alloca [2 x ref]
; STACKMAP=1: "count":2
declare i64 @llvm.experimental.deoptimize.i64(...)
declare void @known(ptr) "gc-leaf-function"
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = alloca [2 x ptr addrspace(1)]
  store ptr addrspace(1) %o, ptr %s
  call void @known(ptr %s)
  %r = call i64 (...) @llvm.experimental.deoptimize.i64() [ "deopt"(i32 1) ]
  ret i64 %r
}
;--- %s = alloca ref
; STACKMAP=1: "fields":
declare i64 @llvm.experimental.deoptimize.i64(...)
declare void @llvm.gc.declare(ptr, ptr)
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %s, ptr null)
  store ptr addrspace(1) %o, ptr %s
  %r = call i64 (...) @llvm.experimental.deoptimize.i64() [ "deopt"(i32 1) ]
  ret i64 %r
}
;--- %raw = call ptr @smd.gc.pin(ref %o)
; STACKMAP=1: "pinned":true
declare i64 @llvm.experimental.deoptimize.i64(...)
declare ptr @smd.gc.pin(ptr addrspace(1))
define i64 @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %raw = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %r = call i64 (...) @llvm.experimental.deoptimize.i64() [ "deopt"(ptr %raw) ]
  ret i64 %r
}
