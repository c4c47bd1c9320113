; Values are roots of four bytes.
;--- 1
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=2: "fields":[{"offset":0,"size":4,"space":2}]
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  call void @g()
  call void @g()
  ret ptr addrspace(2) %p
}
;--- %r = call ptr addrspace(2) @made(ptr addrspace(2) %p)
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP-NOT: "fields":[{"offset":0,"size":4,"space":2}]
declare void @g()
declare ptr addrspace(2) @made(ptr addrspace(2))
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %r = call ptr addrspace(2) @made(ptr addrspace(2) %p)
  ret ptr addrspace(2) %r
}
;--- %e = icmp eq ptr addrspace(2) %p, null
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=3: "fields":[{"offset":0,"size":4,"space":2}]
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  call void @g()
  %e = icmp eq ptr addrspace(2) %p, null
  %s = select i1 %e, ptr addrspace(2) null, ptr addrspace(2) %q
  call void @g()
  ret ptr addrspace(2) %s
}
;--- %a = getelementptr i8, ptr addrspace(2) %p, i64 8
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=1: "fields":[{"offset":0,"size":4,"space":2}]
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %a = getelementptr i8, ptr addrspace(2) %p, i64 8
  store i64 %i, ptr addrspace(2) %a
  call void @g()
  store i64 %i, ptr addrspace(2) %a
  ret ptr addrspace(2) %p
}
;--- %s = addrspacecast ref %o to ptr addrspace(2)
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=1: "fields":[{"offset":0,"size":4,"space":2}]
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %s = addrspacecast ptr addrspace(1) %o to ptr addrspace(2)
  %w = addrspacecast ptr addrspace(2) %s to ptr addrspace(1)
  call void @g()
  store i64 %i, ptr addrspace(1) %w
  ret ptr addrspace(2) %p
}
;--- ret { ptr addrspace(2), ptr, i64 } %v
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=1: "fields":[{"offset":0,"size":4,"space":2}]
declare void @g()
define { ptr addrspace(2), ptr, i64 } @f({ ptr addrspace(2), ptr, i64 } %v) gc "statepoint-example" {
  call void @g()
  ret { ptr addrspace(2), ptr, i64 } %v
}
;--- ret <2 x ptr addrspace(2)> %v
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=2: "fields":[{"offset":0,"size":4,"space":2}]
declare void @g()
define <2 x ptr addrspace(2)> @f(<2 x ptr addrspace(2)> %v) gc "statepoint-example" {
  call void @g()
  ret <2 x ptr addrspace(2)> %v
}
;--- %o = addrspacecast ptr addrspace(2) %v to ref
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=llvm target=x86_64-linux-gnu
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,1,2,3} stackmap_format=compact target=aarch64-linux-gnu
; STACKMAP=1: {"offset":0,"size":4,"space":3}
declare void @g()
define ptr addrspace(3) @f(ptr addrspace(2) %v) gc "statepoint-example" {
  %o = addrspacecast ptr addrspace(2) %v to ptr addrspace(1)
  %w = addrspacecast ptr addrspace(1) %o to ptr addrspace(3)
  call void @g()
  ret ptr addrspace(3) %w
}
;--- br i1 %c, label %a, label %b
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt=0
; STACKMAP=1: "fields":[{"offset":0,"size":4,"space":2}]
declare void @g()
declare ptr addrspace(2) @made(ptr addrspace(2))
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  br i1 %c, label %a, label %b
a:
  %r = invoke ptr addrspace(2) @made(ptr addrspace(2) %p) to label %b unwind label %pad
b:
  %v = phi ptr addrspace(2) [ %r, %a ], [ null, %entry ]
  call void @g()
  ret ptr addrspace(2) %v
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
