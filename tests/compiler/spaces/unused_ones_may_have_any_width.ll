; A data layout may give pointers of an address space another width than the target's where nothing in the module is
; such a pointer.
;--- two
; RUN: opt={0,2} target=x86_64-linux-gnu safepoints=none
; ROOTS @f: 1
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128-ni:1-p2:32:8:8:32-ni:2"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
;--- three hundred
; RUN: opt={0,2} target=x86_64-linux-gnu safepoints=none
; ROOTS @f: 1
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-p300:16:16-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
;--- used
; RUN: opt={0,2} target=x86_64-linux-gnu safepoints=none
; STATUS: invalid_module
; ERROR=1: pointers of address space 300 have 2 bytes
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-p300:16:16-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %slot) gc "statepoint-example" {
  %v = load { i8, ptr addrspace(300), i8 }, ptr %slot
  call void @g()
  ret ptr addrspace(1) %p
}
