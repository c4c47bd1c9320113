; A slot that the module lists at its own statepoints is up to date there: polls, and calls that become statepoints
; between, list it as well. It stays in a slot, as the statepoint has its address.
; RUN: opt={0,1,2,3} safepoints=none
; REGIONS @f: 1 1 1 1
; RUN: opt={0,1,2,3} safepoints=entry,backedge poll=call:collect
; RESULT: 5 = 7
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32 immarg, i32 immarg)
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @f(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %o, ptr %s
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr %s) ]
  call void @collect()
  call void @collect()
  %u = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr %s) ]
  ret void
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %s = alloca ptr addrspace(1)
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store ptr addrspace(1) %o, ptr %s
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 2, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr %s) ]
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret i64 7
}
