; Vectors are results and relocated.
;--- of 2017
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare <2 x i8 addrspace(1)*> @g()
declare token @llvm.experimental.gc.statepoint.p0f_v2p1i8f(i64, i32, <2 x i8 addrspace(1)*> ()*, i32, i32, ...)
declare <2 x i8 addrspace(1)*> @llvm.experimental.gc.result.v2p1i8(token)
declare <2 x i8 addrspace(1)*> @llvm.experimental.gc.relocate.v2p1i8(token, i32, i32)
define <2 x i8 addrspace(1)*> @f(<2 x i8 addrspace(1)*> %p, i1 %c) gc "statepoint-example" {
  %t = call token (i64, i32, <2 x i8 addrspace(1)*> ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_v2p1i8f(i64 7, i32 0, <2 x i8 addrspace(1)*> ()* @g, i32 0, i32 0, i32 0, i32 0, <2 x i8 addrspace(1)*> %p)
  %r = call <2 x i8 addrspace(1)*> @llvm.experimental.gc.result.v2p1i8(token %t)
  %q = call <2 x i8 addrspace(1)*> @llvm.experimental.gc.relocate.v2p1i8(token %t, i32 7, i32 7)
  %s = select i1 %c, <2 x i8 addrspace(1)*> %r, <2 x i8 addrspace(1)*> %q
  ret <2 x i8 addrspace(1)*> %s
}
;--- of 2015
; RUN: safepoints=none opt={0,2}
; SAME-AS: module=today
declare <2 x i8 addrspace(1)*> @g()
declare i32 @llvm.experimental.gc.statepoint.p0f_v2p1i8f(i64, i32, <2 x i8 addrspace(1)*> ()*, i32, i32, ...)
declare <2 x i8 addrspace(1)*> @llvm.experimental.gc.result.v2p1i8(i32)
declare <2 x i8 addrspace(1)*> @llvm.experimental.gc.relocate.v2p1i8(i32, i32, i32)
define <2 x i8 addrspace(1)*> @f(<2 x i8 addrspace(1)*> %p, i1 %c) gc "statepoint-example" {
  %t = call i32 (i64, i32, <2 x i8 addrspace(1)*> ()*, i32, i32, ...) @llvm.experimental.gc.statepoint.p0f_v2p1i8f(i64 7, i32 0, <2 x i8 addrspace(1)*> ()* @g, i32 0, i32 0, i32 0, i32 0, <2 x i8 addrspace(1)*> %p)
  %r = call <2 x i8 addrspace(1)*> @llvm.experimental.gc.result.v2p1i8(i32 %t)
  %q = call <2 x i8 addrspace(1)*> @llvm.experimental.gc.relocate.v2p1i8(i32 %t, i32 7, i32 7)
  %s = select i1 %c, <2 x i8 addrspace(1)*> %r, <2 x i8 addrspace(1)*> %q
  ret <2 x i8 addrspace(1)*> %s
}
;--- today
; RUN: safepoints=none opt={0,2}
; SAFEPOINTS: 1
declare <2 x ptr addrspace(1)> @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare <2 x ptr addrspace(1)> @llvm.experimental.gc.result.v2p1(token)
declare <2 x ptr addrspace(1)> @llvm.experimental.gc.relocate.v2p1(token, i32, i32)
define <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %p, i1 %c) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(<2 x ptr addrspace(1)> ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(<2 x ptr addrspace(1)> %p) ]
  %r = call <2 x ptr addrspace(1)> @llvm.experimental.gc.result.v2p1(token %t)
  %q = call <2 x ptr addrspace(1)> @llvm.experimental.gc.relocate.v2p1(token %t, i32 0, i32 0)
  %s = select i1 %c, <2 x ptr addrspace(1)> %r, <2 x ptr addrspace(1)> %q
  ret <2 x ptr addrspace(1)> %s
}
