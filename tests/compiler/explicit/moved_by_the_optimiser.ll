; LLVM's optimiser moves results and relocations of the module's own statepoints down to where they are used. They are alive
; across the calls between, all the same.
;--- a relocated reference, and one within an object
; RUN: opt={0,1,2,3} safepoints=none gc_registers={0,8}
; RESULT: 5 = 87
; RESULT: --leave-out 0 5 != 87
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define i64 @work(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %k) noinline gc "statepoint-example" {
entry:
  %off = add i64 %k, 3
  %d = getelementptr i8, ptr addrspace(1) %p, i64 %off
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 5, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p, ptr addrspace(1) %d, ptr addrspace(1) %q) ]
  %d1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  %q1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 2, i32 2)
  call void @collect()
  %a = load i64, ptr addrspace(1) %d1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ %a, %entry ], [ %more, %loop ]
  %v = load i64, ptr addrspace(1) %d1
  %w = load i64, ptr addrspace(1) %q1
  call void @collect()
  %sv = add i64 %s, %v
  %more = add i64 %sv, %w
  %next = add i64 %i, 1
  %c = icmp slt i64 %next, 5
  br i1 %c, label %loop, label %done
done:
  %z = load i64, ptr addrspace(1) %d1
  %r = add i64 %more, %z
  ret i64 %r
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %q = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %f = getelementptr i8, ptr addrspace(1) %p, i64 8
  store i64 11, ptr addrspace(1) %f
  store i64 2, ptr addrspace(1) %q
  %r = call i64 @work(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n)
  ret i64 %r
}
;--- a result
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 5 = 5
; RESULT: --leave-out 0 5 != 5
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.result.p1(token)
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define ptr addrspace(1) @make(i64 %n) noinline gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 5, i32 0, ptr elementtype(ptr addrspace(1) (i64)) @make, i32 1, i32 0, i64 %n, i32 0, i32 0) [ "gc-live"() ]
  %p = call ptr addrspace(1) @llvm.experimental.gc.result.p1(token %t)
  call void @collect()
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- invokes: where they go on, and their landing pads
; RUN: opt={0,1,2,3} safepoints=none
; ROOTS @f: 2 2 1 1
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @g()
declare i32 @personality(...)

define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 5, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p, ptr addrspace(1) %q) ]
          to label %on unwind label %pad
on:
  %p1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  %q1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 1, i32 1)
  call void @g()
  br i1 %c, label %left, label %right
left:
  %a = load i64, ptr addrspace(1) %p1
  ret i64 %a
right:
  call void @g()
  %b = load i64, ptr addrspace(1) %q1
  ret i64 %b
pad:
  %l = landingpad token cleanup
  %p2 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %l, i32 0, i32 0)
  call void @g()
  %d = load i64, ptr addrspace(1) %p2
  ret i64 %d
}
;--- a relocation after another statepoint that does not list it
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @f: A pointer is used after a safepoint without having been relocated
; AT: %a = load i64
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @g()

define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q) gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 5, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %p, ptr addrspace(1) %q) ]
  %q1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 1, i32 1)
  %t2 = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 6, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %q1) ]
  %q2 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t2, i32 0, i32 0)
  %p1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  %a = load i64, ptr addrspace(1) %p1
  %b = load i64, ptr addrspace(1) %q2
  %r = add i64 %a, %b
  ret i64 %r
}
