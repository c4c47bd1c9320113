; Globals are listed.
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3}
; META=1: {"offset":0,"space":2,"size":4}
; META=1: {"offset":8,"space":2,"size":4,"count":2,"stride":16}
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 emit=ir
; IR=1: c"ptr addrspace(2) null; \22x"
; IR=1: global [2 x { i64, i32 }] zeroinitializer
@a = global ptr addrspace(2) null
@b = global [2 x { i64, ptr addrspace(2) }] zeroinitializer
@c = constant [25 x i8] c"ptr addrspace(2) null; \22x"
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %v = load ptr addrspace(2), ptr @a
  store ptr addrspace(2) %p, ptr @a
  %e = getelementptr [2 x { i64, ptr addrspace(2) }], ptr @b, i64 0, i64 %i, i32 1
  store ptr addrspace(2) %q, ptr %e
  call void @g()
  ret ptr addrspace(2) %v
}
