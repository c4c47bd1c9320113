; What an option or an attribute names, and nothing else uses, is through the optimiser what the module declares it as.
;--- The flag of each thread.
; RUN: opt={0,1,2,3} poll=flag:pf:slow
; IR: @pf = external thread_local global i8
; IR: declare preserve_mostcc void @slow() #
; IR-NOT: @smd.kept
@pf = external thread_local global i8
declare preserve_mostcc void @slow() cold
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  ret ptr addrspace(1) %p
}
;--- A flag, and what is called, of this linked file alone.
; RUN: opt={0,1,2,3} poll=flag:pf:slow
; IR: @pf = external hidden global i8
; IR: declare hidden void @slow()
@pf = external hidden global i8
declare hidden void @slow()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  ret ptr addrspace(1) %p
}
;--- A flag that another address space has.
; RUN: opt={0,1,2,3} poll=flag:pf:slow target=x86_64-linux-gnu
; IR: @pf = external addrspace(257) global i8
; IR: load volatile i8, ptr addrspace(257) @pf
@pf = external addrspace(257) global i8
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  ret ptr addrspace(1) %p
}
;--- A flag that the module defines for itself.
; RUN: opt={0,1,2,3} poll=flag:pf:slow
; IR: @pf = internal global i8 1
; UNDEFINED-NOT: pf
@pf = internal global i8 1
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  ret ptr addrspace(1) %p
}
;--- A page.
; RUN: opt={0,1,2,3} poll=page:page
; IR: @page = external hidden global [4096 x i8], align 4096
@page = external hidden global [4096 x i8], align 4096
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  ret ptr addrspace(1) %p
}
;--- What a poll calls.
; RUN: opt={0,1,2,3} poll=call:stop
; IR: declare hidden fastcc void @stop()
declare hidden fastcc void @stop()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  ret ptr addrspace(1) %p
}
;--- The base of compressed references.
; RUN: opt={0,1,2,3} safepoints=none spaces=200:32:3:base
; IR: @base = external hidden thread_local(initialexec) global i64
@base = external hidden thread_local(initialexec) global i64
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(200) %p) gc "statepoint-example" {
  %q = addrspacecast ptr addrspace(200) %p to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %q
}
;--- What gives the results of deoptimizations.
; RUN: opt={0,1,2,3} safepoints=none
; IR: declare hidden fastcc i64 @rt_deopt(ptr)
; IR: call fastcc token
; WARNING-NOT:
declare hidden fastcc i64 @rt_deopt(ptr)
declare i64 @llvm.experimental.deoptimize.i64(...)
define i64 @f(ptr %th, ptr addrspace(1) %a) "smd-deoptimize"="rt_deopt" gc "statepoint-example" {
  %v = call i64 (...) @llvm.experimental.deoptimize.i64(ptr %th) [ "deopt"(i64 1, ptr addrspace(1) %a) ]
  ret i64 %v
}
;--- The chain of a shadow stack.
; RUN: opt={0,1,2,3} safepoints=none
; IR: @llvm_gc_root_chain = external thread_local
@llvm_gc_root_chain = external thread_local global ptr
declare void @llvm.gcroot(ptr, ptr)
declare void @g(ptr)
define void @f(ptr %o) gc "shadow-stack" {
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %o, ptr %root
  call void @g(ptr %o)
  ret void
}
