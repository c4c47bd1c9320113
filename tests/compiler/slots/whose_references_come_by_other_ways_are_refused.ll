; Where references go in and out of bytes by ways that are not followed to the place.
;--- @fill(
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: @fill(
declare void @g()
declare void @peek(ptr nocapture) "gc-leaf-function"
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca i64
  call void @fill(ptr %s, ptr addrspace(1) %p)
  call void @g()
  call void @peek(ptr %s)
  ret ptr addrspace(1) null
}
define void @fill(ptr nocapture %s, ptr addrspace(1) %o) noinline "gc-leaf-function" {
  %t = getelementptr i8, ptr %s, i64 0
  store ptr addrspace(1) %o, ptr %t
  ret void
}
;--- @pass(
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: @pass(
declare void @g()
declare void @peek(ptr nocapture) "gc-leaf-function"
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca i64
  call void @pass(ptr %s, ptr addrspace(1) %p)
  call void @g()
  call void @peek(ptr %s)
  ret ptr addrspace(1) null
}
define void @fill(ptr nocapture %s, ptr addrspace(1) %o) noinline "gc-leaf-function" {
  %t = getelementptr i8, ptr %s, i64 0
  store ptr addrspace(1) %o, ptr %t
  ret void
}
define void @pass(ptr nocapture %s, ptr addrspace(1) %o) noinline "gc-leaf-function" {
  call void @fill(ptr %s, ptr addrspace(1) %o)
  ret void
}
;--- by way of its address
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: by way of its address
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca i64
  %a = call ptr asm sideeffect "", "=r,0"(ptr %s)
  store ptr addrspace(1) %p, ptr %a
  call void @g()
  %v = load ptr addrspace(1), ptr %a
  ret ptr addrspace(1) %v
}
;--- holds references
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: holds references
declare ptr @same(ptr returned) "gc-leaf-function"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca i64
  %a = call ptr @same(ptr %s)
  store volatile ptr addrspace(1) %p, ptr %a
  call void @g()
  %v = load ptr addrspace(1), ptr %a
  ret ptr addrspace(1) %v
}
;--- %t = alloca ptr
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: by way of its address
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca i64
  %t = alloca ptr
  store volatile ptr %s, ptr %t
  %b = load volatile ptr, ptr %t
  store ptr addrspace(1) %p, ptr %b
  %a = load volatile ptr, ptr %t
  call void @g()
  %v = load ptr addrspace(1), ptr %a
  ret ptr addrspace(1) %v
}
;--- %n = ptrtoint ptr %s to i64
; RUN: safepoints=none opt=0
; STATUS: cannot_rewrite
; ERROR: by way of its address
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca i64
  %n = ptrtoint ptr %s to i64
  %m = add i64 %n, %i
  %k = sub i64 %m, %i
  %a = inttoptr i64 %k to ptr
  store ptr addrspace(1) %p, ptr %a
  call void @g()
  %v = load ptr addrspace(1), ptr %a
  ret ptr addrspace(1) %v
}
;--- %t = insertvalue { ptr, i64 } poison, ptr %s, 0
; RUN: safepoints=none opt=0
; STATUS: cannot_rewrite
; ERROR: by way of its address
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca i64
  %t = insertvalue { ptr, i64 } poison, ptr %s, 0
  %u = freeze { ptr, i64 } %t
  %a = extractvalue { ptr, i64 } %u, 0
  store ptr addrspace(1) %p, ptr %a
  call void @g()
  %v = load ptr addrspace(1), ptr %a
  ret ptr addrspace(1) %v
}
;--- not followed
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: not followed
declare void @llvm.masked.scatter.v2p1.v2p0(<2 x ptr addrspace(1)>, <2 x ptr>, i32, <2 x i1>)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca [2 x i64]
  %w = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %p, i32 0
  %at = getelementptr i64, ptr %s, <2 x i64> <i64 0, i64 1>
  call void @llvm.masked.scatter.v2p1.v2p0(<2 x ptr addrspace(1)> %w, <2 x ptr> %at, i32 8, <2 x i1> <i1 1, i1 1>)
  call void @g()
  %v = load volatile ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
;--- llvm.localescape
; RUN: safepoints=none opt={0,2}
; STATUS: cannot_rewrite
; ERROR: llvm.localescape
declare void @llvm.localescape(...)
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca i64
  call void (...) @llvm.localescape(ptr %s)
  call void @g()
  ret ptr addrspace(1) %p
}
