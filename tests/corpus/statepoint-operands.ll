; What a statepoint record can hold beside plain pointers: vectors of pointers, allocas in gc-live and among deopt values,
; constants small, large, wide and undefined, a null pointer.
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare ptr @llvm.experimental.gc.relocate.p0(token, i32, i32)
declare <2 x ptr addrspace(1)> @llvm.experimental.gc.relocate.v2p1(token, i32, i32)
declare <3 x ptr addrspace(1)> @llvm.experimental.gc.relocate.v3p1(token, i32, i32)
define <2 x ptr addrspace(1)> @vec(<2 x ptr addrspace(1)> %v, i64 %i) gc "statepoint-example" {
  %d = getelementptr i8, <2 x ptr addrspace(1)> %v, i64 %i
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) ["gc-live"(<2 x ptr addrspace(1)> %v, <2 x ptr addrspace(1)> %d)]
  %r = call <2 x ptr addrspace(1)> @llvm.experimental.gc.relocate.v2p1(token %t, i32 0, i32 1)
  ret <2 x ptr addrspace(1)> %r
}
define <3 x ptr addrspace(1)> @vec3(<3 x ptr addrspace(1)> %v) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) ["gc-live"(<3 x ptr addrspace(1)> %v)]
  %r = call <3 x ptr addrspace(1)> @llvm.experimental.gc.relocate.v3p1(token %t, i32 0, i32 0)
  ret <3 x ptr addrspace(1)> %r
}
define ptr addrspace(1) @mixed(ptr addrspace(1) %p, i64 %x, i128 %w) gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  %b = alloca [4 x ptr addrspace(1)]
  store ptr addrspace(1) %p, ptr %a
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) ["gc-live"(ptr %a, ptr addrspace(1) %p, ptr %b, ptr addrspace(1) null), "deopt"(i64 %x, ptr %a, i128 %w, i64 123456789012345, i128 170141183460469231731687303715884105727, float 1.0, i8 undef)]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 1, i32 1)
  %r2 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 3, i32 3)
  store ptr addrspace(1) %r2, ptr %a
  ret ptr addrspace(1) %r
}
