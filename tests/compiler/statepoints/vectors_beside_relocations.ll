; What AArch64 would fold relocations into: an element by its index, a lane, all lanes, a lane of
; integers.
;--- %j = and i64 %i, 1
; RUN: safepoints=none opt={0,1,2,3}
; SAFEPOINTS: 1
declare void @g()
define ptr addrspace(1) @f(<2 x ptr addrspace(1)> %v, i64 %i) gc "statepoint-example" {
  call void @g()
  %j = and i64 %i, 1
  %x = extractelement <2 x ptr addrspace(1)> %v, i64 %j
  ret ptr addrspace(1) %x
}
;--- %y = insertelement <2 x ref> %v, ref %p, i32 1
; RUN: safepoints=none opt={0,1,2,3}
; SAFEPOINTS: 1
; RUN: safepoints=none target=x86_64-linux-gnu
; IR-NOT: freeze
; META-NOT: reproduce_note
; RUN: safepoints=none target=aarch64-linux-gnu
; IR=2: freeze
; META=1: reproduce_note
declare void @g()
define <2 x ptr addrspace(1)> @f(ptr addrspace(1) %p, <2 x ptr addrspace(1)> %v) gc "statepoint-example" {
  call void @g()
  %y = insertelement <2 x ptr addrspace(1)> %v, ptr addrspace(1) %p, i32 1
  ret <2 x ptr addrspace(1)> %y
}
;--- %a = insertelement <2 x ref> poison, ref %p, i32 0
; RUN: safepoints=none opt={0,1,2,3}
; SAFEPOINTS: 1
declare void @g()
define <2 x ptr addrspace(1)> @f(ptr addrspace(1) %p, ptr addrspace(1) %q) gc "statepoint-example" {
  call void @g()
  %a = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %p, i32 0
  %b = shufflevector <2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> poison, <2 x i32> zeroinitializer
  ret <2 x ptr addrspace(1)> %b
}
;--- %n = ptrtoint ref %p to i64
; RUN: safepoints=none opt={0,1,2,3}
; SAFEPOINTS: 1
declare void @g()
define <2 x i64> @f(ptr addrspace(1) %p, <2 x i64> %v) gc "statepoint-example" {
  call void @g()
  %n = ptrtoint ptr addrspace(1) %p to i64
  %y = insertelement <2 x i64> %v, i64 %n, i32 1
  ret <2 x i64> %y
}
