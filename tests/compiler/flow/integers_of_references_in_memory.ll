; An integer of a reference that crossed a safepoint is written to memory, read, and made a reference.
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare <2 x i64> @llvm.masked.load.v2i64.p0(ptr, i32, <2 x i1>, <2 x i64>)
declare <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i64>)
declare void @llvm.masked.scatter.v2i64.v2p0(<2 x i64>, <2 x ptr>, i32, <2 x i1>)
declare <2 x i64> @llvm.masked.expandload.v2i64(ptr, <2 x i1>, <2 x i64>)
declare <2 x i64> @llvm.vp.load.v2i64.p0(ptr, <2 x i1>, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
;--- int before xchg
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
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
;--- int before xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
  call void @collect()
  %s = alloca i64
  store i64 %i, ptr %s
  %j = atomicrmw xchg ptr %s, i64 0 seq_cst
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- int before rmwadd
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
  call void @collect()
  %s = alloca i64
  store i64 0, ptr %s
  %a1 = atomicrmw add ptr %s, i64 %i seq_cst
  %j = load i64, ptr %s
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- int before cmpxchg
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
  call void @collect()
  %s = alloca i64
  store i64 0, ptr %s
  %a1 = cmpxchg ptr %s, i64 0, i64 %i seq_cst seq_cst
  %j = load i64, ptr %s
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- int before cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
  call void @collect()
  %s = alloca i64
  store i64 %i, ptr %s
  %a1 = cmpxchg ptr %s, i64 1, i64 2 seq_cst seq_cst
  %j = extractvalue {i64, i1} %a1, 0
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- int before slotvol
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
  call void @collect()
  %s = alloca i64
  store volatile i64 %i, ptr %s
  %j = load volatile i64, ptr %s
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- int before mload
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
  call void @collect()
  %v0 = insertelement <2 x i64> zeroinitializer, i64 %i, i32 0
  %s = alloca <2 x i64>
  store <2 x i64> %v0, ptr %s
  %v1 = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %s, i32 8, <2 x i1> <i1 1, i1 1>, <2 x i64> zeroinitializer)
  %j = extractelement <2 x i64> %v1, i32 0
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- int before gather
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
  call void @collect()
  %s = alloca i64
  store i64 %i, ptr %s
  %q1 = insertelement <2 x ptr> poison, ptr %s, i32 0
  %q2 = insertelement <2 x ptr> %q1, ptr %s, i32 1
  %v1 = call <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr> %q2, i32 8, <2 x i1> <i1 1, i1 1>, <2 x i64> zeroinitializer)
  %j = extractelement <2 x i64> %v1, i32 0
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- int before scatter
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
  call void @collect()
  %v0 = insertelement <2 x i64> zeroinitializer, i64 %i, i32 0
  %s = alloca i64
  %s3 = alloca i64
  %q1 = insertelement <2 x ptr> poison, ptr %s, i32 0
  %q2 = insertelement <2 x ptr> %q1, ptr %s3, i32 1
  call void @llvm.masked.scatter.v2i64.v2p0(<2 x i64> %v0, <2 x ptr> %q2, i32 8, <2 x i1> <i1 1, i1 1>)
  %j = load i64, ptr %s
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- int before expand
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
  call void @collect()
  %s = alloca <2 x i64>
  store <2 x i64> zeroinitializer, ptr %s
  store i64 %i, ptr %s
  %v1 = call <2 x i64> @llvm.masked.expandload.v2i64(ptr %s, <2 x i1> <i1 1, i1 1>, <2 x i64> zeroinitializer)
  %j = extractelement <2 x i64> %v1, i32 0
  %p = inttoptr i64 %j to ptr addrspace(1)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- int before vpload
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
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
;--- int before memcpyvol
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %i = ptrtoint ptr addrspace(1) %o to i64
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
