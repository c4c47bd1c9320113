; A derived pointer that a statepoint of the module's own has relocated has a base: the one that this statepoint has
; relocated with it. It may be listed again, and be alive across calls and polls, or given to a call.
; RUN: opt={0,2} safepoints=none
; SAFEPOINTS @twice: 2
; SAFEPOINTS @mixed: 3
; ROOTS @given #1: 1
; SAME-AS: ir
; RUN: opt={0,2} safepoints=entry,backedge,return poll=call:p
; SAFEPOINTS @twice: 4
; SAME-AS: ir
; RUN: opt={0,1,2,3} safepoints=entry,return poll=call:collect
; RESULT: 7 = 49
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32 immarg, i32 immarg)
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @keep(ptr addrspace(1))

define ptr addrspace(1) @twice(ptr addrspace(1) %o) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %o, i64 16
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %o, ptr addrspace(1) %d) ]
  %b1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  %r1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  %t2 = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 3, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %b1, ptr addrspace(1) %r1) ]
  %r2 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t2, i32 0, i32 1)
  ret ptr addrspace(1) %r2
}

define i64 @mixed(ptr addrspace(1) %o, i64 %v) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %o, i64 16
  store i64 %v, ptr addrspace(1) %d
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %o, ptr addrspace(1) %d) ]
  %r1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  call void @collect()
  %a = load i64, ptr addrspace(1) %r1
  call void @collect()
  %b = mul i64 %a, %v
  ret i64 %b
}

define void @given(ptr addrspace(1) %o) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %o, i64 16
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %o, ptr addrspace(1) %d) ]
  %r1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  call void @keep(ptr addrspace(1) %r1)
  ret void
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 32, i64 0)
  %r = call i64 @mixed(ptr addrspace(1) %o, i64 %n)
  ret i64 %r
}
