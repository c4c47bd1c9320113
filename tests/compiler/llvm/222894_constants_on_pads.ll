; A reference that code generation finds to be a constant is there on the landing pad that relocates it, though the pad
; has phis: at opt=0 LLVM defines it behind the call, where no exception comes by.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 5 = 24
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare ptr addrspace(1) @allocate(i64, i64)
declare void @throw_value(ptr addrspace(1))
declare i32 @handle_all(...)

define void @thrower(i64 %n) noinline gc "statepoint-example" {
  %box = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %box
  call void @throw_value(ptr addrspace(1) %box)
  ret void
}

define ptr addrspace(1) @catches(i64 %n, ptr %seen) noinline gc "statepoint-example" personality ptr @handle_all {
entry:
  %nothing = inttoptr i64 0 to ptr addrspace(1)
  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void (i64)) @thrower, i32 1, i32 0, i64 %n, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %nothing) ]
          to label %normal unwind label %pad

normal:
  %m = phi i64 [ %n, %entry ]
  store i64 %m, ptr %seen
  ret ptr addrspace(1) null

pad:
  %p = phi i64 [ %n, %entry ]
  %l = landingpad token
          cleanup
  %r = call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %l, i32 0, i32 0)
  store i64 %p, ptr %seen
  ret ptr addrspace(1) %r
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %seen = alloca i64
  %r = call ptr addrspace(1) @catches(i64 %n, ptr %seen)
  %is = icmp eq ptr addrspace(1) %r, null
  %as = select i1 %is, i64 19, i64 1000
  %s = load i64, ptr %seen
  %sum = add i64 %as, %s
  ret i64 %sum
}
