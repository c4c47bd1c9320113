; Slots have fields of four bytes.
;--- %s = alloca { i64, ptr addrspace(2), i32
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=1: {"offset":8,"size":4,"space":2},{"offset":16,"size":4,"space":2,"count":3,"stride":4}
declare void @g()
declare void @out(ptr)
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %s = alloca { i64, ptr addrspace(2), i32, [3 x ptr addrspace(2)] }
  call void @out(ptr %s)
  ret ptr addrspace(2) %p
}
;--- %s = alloca [8 x i32]
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=1: {"offset":0,"size":4,"space":2,"count":8,"stride":4}
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %s = alloca [8 x i32]
  %j = and i64 %i, 7
  %e = getelementptr [8 x i32], ptr %s, i64 0, i64 %j
  store volatile ptr addrspace(2) %p, ptr %e
  call void @g()
  %v = load volatile ptr addrspace(2), ptr %e
  ret ptr addrspace(2) %v
}
;--- %s = alloca ptr addrspace(2), !smd.type !0
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=1: "space":2}],"type":9
declare void @g()
declare void @out(ptr)
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %s = alloca ptr addrspace(2), !smd.type !0
  call void @out(ptr %s) [ "gc-type"(ptr addrspace(2) %p, i64 3) ]
  ret ptr addrspace(2) %p
}
!0 = !{i64 9}
;--- call void @llvm.gc.declare(ptr %s, ptr inttoptr (i64 5 to ptr))
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=2: "space":2}],"type":
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.value.p2(ptr addrspace(2), ptr)
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %s = alloca ptr addrspace(2)
  call void @llvm.gc.declare(ptr %s, ptr inttoptr (i64 5 to ptr))
  store ptr addrspace(2) %q, ptr %s
  call void @llvm.gc.value.p2(ptr addrspace(2) %p, ptr inttoptr (i64 6 to ptr))
  call void @g()
  ret ptr addrspace(2) %p
}
;--- accesses something else where there may be a reference
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: accesses something else where there may be a reference
declare void @g()
declare void @out(ptr)
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %s = alloca { ptr addrspace(2), i32 }
  store i32 7, ptr %s
  call void @out(ptr %s)
  ret ptr addrspace(2) %p
}
;--- accesses a reference where there may be something else
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: accesses a reference where there may be something else
declare void @g()
declare void @out(ptr)
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %s = alloca { ptr addrspace(2), i32 }
  call void @out(ptr %s)
  %r = load ptr addrspace(1), ptr %s
  store volatile ptr addrspace(1) %r, ptr addrspace(1) %o
  ret ptr addrspace(2) %p
}
;--- %r = load ptr addrspace(3), ptr %s
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: accesses a reference where there may be something else
declare void @g()
declare void @out(ptr)
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %s = alloca ptr addrspace(2)
  call void @out(ptr %s)
  %r = load ptr addrspace(3), ptr %s
  store volatile ptr addrspace(3) %r, ptr addrspace(1) %o
  ret ptr addrspace(2) %p
}
