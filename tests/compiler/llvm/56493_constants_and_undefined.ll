; References that are constants or undefined, where LLVM's rewrite or code generation asserts: steps from null given to a
; copy that is a safepoint (#56493), a frozen undefined one (#55308), relocations of undefined ones (#80294) and of no
; statepoint (#56267, #57871).
; RUN: opt={0,1,2,3} safepoints=none
; ERROR-NOT:
; READOBJ: agrees
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare i32 @llvm.experimental.gc.result.i32(token)
declare void @g()
declare void @h(ptr addrspace(1))
declare void @llvm.memcpy.element.unordered.atomic.p1.p1.i64(ptr addrspace(1) nocapture writeonly, ptr addrspace(1) nocapture readonly, i64, i32 immarg)

define void @copies() gc "statepoint-example" {
  call void @llvm.memcpy.element.unordered.atomic.p1.p1.i64(ptr addrspace(1) align 8 undef, ptr addrspace(1) align 16 getelementptr inbounds (i8, ptr addrspace(1) null, i64 16), i64 undef, i32 4) [ "deopt"() ]
  ret void
}

define void @frozen() gc "statepoint-example" {
  %o = freeze ptr addrspace(1) undef
  %d = getelementptr inbounds i8, ptr addrspace(1) %o, i64 16
  call void @g() [ "deopt"() ]
  %e = getelementptr inbounds i32, ptr addrspace(1) %d, i64 undef
  store i8 0, ptr addrspace(1) %e
  ret void
}

define void @relocated(i1 %c) gc "statepoint-example" {
entry:
  br i1 %c, label %on, label %call

call:
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "deopt"(i32 0, ptr addrspace(1) null, ptr null, double 0.0), "gc-live"(ptr addrspace(1) null, ptr addrspace(1) undef, ptr addrspace(1) null) ]
  %r = call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  br label %on

on:
  %p = phi ptr addrspace(1) [ %r, %call ], [ null, %entry ]
  %u = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void (ptr addrspace(1))) @h, i32 1, i32 0, ptr addrspace(1) %p, i32 0, i32 0)
  ret void
}

define ptr addrspace(1) @nothing(i1 %c) gc "statepoint-example" {
  br i1 %c, label %a, label %b

a:
  %i = call i32 @llvm.experimental.gc.result.i32(token poison)
  unreachable

b:
  %r = call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token undef, i32 0, i32 0)
  ret ptr addrspace(1) %r
}
