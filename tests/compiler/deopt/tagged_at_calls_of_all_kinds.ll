; Tagged references in the states of calls of all kinds.
;--- an explicit statepoint
; RUN: opt={0,2} safepoints=none
; SAFEPOINT @f: "deopt":[{"kind":"indirect",
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(i64 %w) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "deopt"(i64 %w) ]
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- deoptimize
; RUN: opt={0,2} safepoints=none
; SAFEPOINT @f callee=__llvm_deoptimize: "deopt":[{"kind":"indirect",
declare i64 @llvm.experimental.deoptimize.i64(...)
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(i64 %w, i1 %c) gc "statepoint-example" {
  br i1 %c, label %a, label %b
a:
  %r = call i64 (...) @llvm.experimental.deoptimize.i64() [ "deopt"(i64 %w) ]
  ret i64 %r
b:
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- deoptimize, returning
; RUN: opt={0,2} safepoints=none
; SAFEPOINT @f callee=stop: "deopt":[{"kind":"indirect",
declare i64 @llvm.experimental.deoptimize.i64(...)
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(i64 %w, i1 %c) "smd-deoptimize"="stop" gc "statepoint-example" {
  br i1 %c, label %a, label %b
a:
  %r = call i64 (...) @llvm.experimental.deoptimize.i64() [ "deopt"(i64 %w) ]
  ret i64 %r
b:
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- a declared slot, its word and its address
; RUN: opt={0,2} safepoints=none
; SAFEPOINT @f: /"deopt":\[\{"kind":"indirect",[^}]*\},\{"kind":"direct"/
; SAME-AS: ir
declare void @g(ptr)
declare void @llvm.gc.declare(ptr, ptr)
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(i64 %w, i1 %c) gc "statepoint-example" {
  %s = alloca i64
  call void @llvm.gc.declare(ptr %s, ptr null)
  store volatile i64 %w, ptr %s
  %x = load volatile i64, ptr %s
  call void @g(ptr %s) [ "deopt"(i64 %x, ptr %s) ]
  %y = load volatile i64, ptr %s
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %y)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- out of a struct
; RUN: opt={0,2} safepoints=none
; SAFEPOINT @f: "deopt":[{"kind":"indirect",
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f({ i64, i64 } %w) gc "statepoint-example" {
  %a = extractvalue { i64, i64 } %w, 0
  call void @g() [ "deopt"(i64 %a) ]
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %a)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- phi of a double across an invoke
; RUN: opt={0,2} safepoints=none
; SAFEPOINT @f callee=h: "deopt":[{"kind":"indirect",
declare double @g()
declare void @h()
declare i32 @handle_all(...)
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(double %w, i1 %c) gc "statepoint-example" personality ptr @handle_all {
  br i1 %c, label %a, label %b
a:
  %n = invoke double @g() to label %b unwind label %u
b:
  %d = phi double [ %w, %0 ], [ %n, %a ]
  call void @h() [ "deopt"(double %d) ]
  %i = bitcast double %d to i64
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %i)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
u:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
;--- a leaf call's bundle
; RUN: opt={0,2} safepoints=none
; SAFEPOINT @f callee=h: "deopt":[{"kind":"indirect",
declare void @g() "gc-leaf-function"
declare void @h()
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(i64 %w) gc "statepoint-example" {
  call void @g() [ "deopt"(i64 %w) ]
  call void @h() [ "deopt"(i64 %w, i64 1, i64 %w) ]
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
