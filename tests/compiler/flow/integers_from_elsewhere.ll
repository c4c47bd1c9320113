; An integer that is given to the function is kept across a safepoint on its way to a reference.
define internal i64 @fetch(ptr addrspace(1) %o) noinline "gc-leaf-function" {
  %v = ptrtoint ptr addrspace(1) %o to i64
  ret i64 %v
}
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare i64 @llvm.umax.i64(i64, i64)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare <2 x i64> @llvm.vp.load.v2i64.p0(ptr, <2 x i1>, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal i64 @same(i64 returned %x) noinline nounwind "gc-leaf-function" {
  ret i64 %x
}
;--- fetchb xchg
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: The integer
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = call i64 @fetch(ptr addrspace(1) %o)
  call void @collect()
  %s = alloca i64
  store i64 0, ptr %s
  %a1 = atomicrmw xchg ptr %s, i64 %i seq_cst
  %j = load i64, ptr %s
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- fetchb slotvol
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: The integer
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = call i64 @fetch(ptr addrspace(1) %o)
  call void @collect()
  %s = alloca i64
  store volatile i64 %i, ptr %s
  %j = load volatile i64, ptr %s
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- fetchb memcpyvol
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: The integer
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = call i64 @fetch(ptr addrspace(1) %o)
  call void @collect()
  %s = alloca i64
  %s2 = alloca i64
  store i64 %i, ptr %s
  call void @llvm.memcpy.p0.p0.i64(ptr %s2, ptr %s, i64 8, i1 true)
  %j = load i64, ptr %s2
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- fetchb vpload
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: The integer
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = call i64 @fetch(ptr addrspace(1) %o)
  call void @collect()
  %s = alloca <2 x i64>
  store <2 x i64> zeroinitializer, ptr %s
  store i64 %i, ptr %s
  %v1 = call <2 x i64> @llvm.vp.load.v2i64.p0(ptr %s, <2 x i1> <i1 1, i1 1>, i32 2)
  %j = extractelement <2 x i64> %v1, i32 0
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- fetcha umax
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: The integer
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = call i64 @fetch(ptr addrspace(1) %o)
  %j = call i64 @llvm.umax.i64(i64 %i, i64 %n)
  call void @collect()
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- fetchb returned
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: The integer
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = call i64 @fetch(ptr addrspace(1) %o)
  call void @collect()
  %j = call i64 @same(i64 %i)
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- fetcha launder0
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: The integer
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = call i64 @fetch(ptr addrspace(1) %o)
  %a1 = inttoptr i64 %i to ptr
  %a2 = call ptr @llvm.launder.invariant.group.p0(ptr %a1)
  %j = ptrtoint ptr %a2 to i64
  call void @collect()
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- fetcha ptrmask0
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: The integer
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = call i64 @fetch(ptr addrspace(1) %o)
  %a1 = inttoptr i64 %i to ptr
  %a2 = call ptr @llvm.ptrmask.p0.i64(ptr %a1, i64 -8)
  %j = ptrtoint ptr %a2 to i64
  call void @collect()
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- fetcha rawgep
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: The integer
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %i = call i64 @fetch(ptr addrspace(1) %o)
  %a1 = inttoptr i64 %i to ptr
  %a2 = getelementptr i8, ptr %a1, i64 %zero
  %j = ptrtoint ptr %a2 to i64
  call void @collect()
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- fetcha wide
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: The integer
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = call i64 @fetch(ptr addrspace(1) %o)
  %a1 = zext i64 %i to i128
  %j = trunc i128 %a1 to i64
  call void @collect()
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
