; Each: the request, a module where it does nothing, why, and a part that makes it do something.
;--- bare
; RUN: barrier=card:cards:9
; WARNING=1:
; WARNING: neither llvm.gcread nor llvm.gcwrite
; RUN: transition=flag
; WARNING=1:
; WARNING: gc-transition
; RUN: shadow_chain=thread_local
; WARNING=1:
; WARNING: no function has the strategy shadow-stack
; RUN: scoped_roots=null_init
; WARNING=1:
; WARNING: no scoped roots
; RUN: tag_mask=7
; WARNING=1:
; WARNING: smd.gc.to_int
; RUN: null_checks=implicit
; WARNING=1:
; WARNING: !make.implicit
; RUN: leaf=nope
; WARNING=1:
; WARNING: the module calls no function that it lists
; RUN: leaf=g,nope
; WARNING-NOT:
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %slot) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
;--- call void @llvm.gcwrite(ptr %a, ptr %b, ptr %c)
; RUN: barrier=card:cards:9
; WARNING-NOT:
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %slot) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @w(ptr %a, ptr %b, ptr %c) gc "statepoint-example" {
  call void @llvm.gcwrite(ptr %a, ptr %b, ptr %c)
  ret void
}
;--- call void @g() ["gc-transition"(ptr %slot)]
; RUN: transition=flag
; WARNING-NOT:
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %slot) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
define void @t(ptr %slot) gc "statepoint-example" {
  call void @g() ["gc-transition"(ptr %slot)]
  ret void
}
;--- define void @s() gc "shadow-stack" {
; RUN: shadow_chain=thread_local
; WARNING-NOT:
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %slot) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
define void @s() gc "shadow-stack" {
  ret void
}
;--- %s = alloca ref
; RUN: scoped_roots=null_init
; WARNING-NOT:
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %slot) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
declare void @llvm.gc.declare(ptr, ptr)
define void @d() gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %s, ptr null)
  ret void
}
;--- %i = call i64 @smd.gc.to_int(ref %p)
; RUN: tag_mask=7
; WARNING-NOT:
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %slot) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
declare i64 @smd.gc.to_int(ptr addrspace(1))
define i64 @i(ptr addrspace(1) %p) gc "statepoint-example" {
  %i = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  ret i64 %i
}
;--- %n = icmp eq ptr %p, null
; RUN: null_checks=implicit
; WARNING-NOT:
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %slot) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
define i32 @n(ptr %p) {
  %n = icmp eq ptr %p, null
  br i1 %n, label %no, label %yes, !make.implicit !0
yes:
  %v = load i32, ptr %p
  ret i32 %v
no:
  ret i32 0
}
!0 = !{}
;--- ret i32 %x
; RUN: stackmap_format=compact
; WARNING=1:
; WARNING: 'stackmap_format' has no effect
define i32 @f(i32 %x) {
  ret i32 %x
}
