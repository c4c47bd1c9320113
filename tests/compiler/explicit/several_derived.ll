; A statepoint of the module's own relocates two pointers that are derived from one object; calls come after it. And on
; a landing pad that gives { ptr, i32 }, a relocation as smd writes it.
; RUN: opt={0,1,2,3} safepoints=entry,return poll=call:collect
; RESULT: 7 = 66
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32 immarg, i32 immarg)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1.pad0({ ptr, i32 }, i32, i32)
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @throw_value(ptr addrspace(1))
declare i32 @handle_all(...)

define i64 @two(ptr addrspace(1) %o, i64 %v) noinline gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %e = getelementptr i8, ptr addrspace(1) %o, i64 16
  store i64 %v, ptr addrspace(1) %d
  store i64 9, ptr addrspace(1) %e
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %o, ptr addrspace(1) %d, ptr addrspace(1) %e) ]
  %b1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  %r1 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 1)
  %r2 = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 2)
  call void @collect()
  %a = load i64, ptr addrspace(1) %r1
  call void @collect()
  %b = load i64, ptr addrspace(1) %r2
  %s = mul i64 %a, %b
  ret i64 %s
}

define i64 @caught(ptr addrspace(1) %o) noinline gc "statepoint-example" personality ptr @handle_all {
entry:
  store i64 3, ptr addrspace(1) %o
  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void (ptr addrspace(1))) @throw_value, i32 1, i32 0, ptr addrspace(1) %o, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %o) ]
          to label %on unwind label %pad
on:
  ret i64 0
pad:
  %p = landingpad { ptr, i32 } cleanup
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1.pad0({ ptr, i32 } %p, i32 0, i32 0)
  call void @collect()
  %v = load i64, ptr addrspace(1) %r
  ret i64 %v
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 32, i64 0)
  %r = call i64 @two(ptr addrspace(1) %o, i64 %n)
  %p = call ptr addrspace(1) @allocate(i64 32, i64 0)
  %s = call i64 @caught(ptr addrspace(1) %p)
  %t = add i64 %r, %s
  ret i64 %t
}
