; A tagged reference is kept across a safepoint, written to memory and read.
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare ptr addrspace(1) @smd.gc.from_int(i64)
declare i64 @llvm.expect.i64(i64, i64)
declare void @llvm.masked.store.v2i64.p0(<2 x i64>, ptr, i32, <2 x i1>)
declare void @llvm.masked.compressstore.v2i64(<2 x i64>, ptr, <2 x i1>)
declare void @llvm.vp.store.v2i64.p0(<2 x i64>, ptr, <2 x i1>, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.annotation.i64.p0(i64, ptr, ptr, i32)
;--- tagload before xchg
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %s = alloca i64
  store i64 0, ptr %s
  %a1 = atomicrmw xchg ptr %s, i64 %i seq_cst
  %j = load i64, ptr %s
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- tagload before xchg2
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %s = alloca i64
  store i64 %i, ptr %s
  %j = atomicrmw xchg ptr %s, i64 0 seq_cst
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- tagload before rmwor
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %s = alloca i64
  store i64 %i, ptr %s
  %j = atomicrmw or ptr %s, i64 0 seq_cst
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- tagload before cmpxchg
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %s = alloca i64
  store i64 0, ptr %s
  %a1 = cmpxchg ptr %s, i64 0, i64 %i seq_cst seq_cst
  %j = load i64, ptr %s
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- tagload before slotvol
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %s = alloca i64
  store volatile i64 %i, ptr %s
  %j = load volatile i64, ptr %s
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- tagload before memcpyvol
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %s = alloca i64
  %s2 = alloca i64
  store i64 %i, ptr %s
  call void @llvm.memcpy.p0.p0.i64(ptr %s2, ptr %s, i64 8, i1 true)
  %j = load i64, ptr %s2
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- tagload before mstore
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %v0 = insertelement <2 x i64> zeroinitializer, i64 %i, i32 0
  %s = alloca <2 x i64>
  call void @llvm.masked.store.v2i64.p0(<2 x i64> %v0, ptr %s, i32 8, <2 x i1> <i1 1, i1 1>)
  %j = load i64, ptr %s
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- tagload before compress
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: invalid_gcroot
; The slot is gathered with others at the begin of its block, and what fills it is not followed.
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %v0 = insertelement <2 x i64> zeroinitializer, i64 %i, i32 0
  %s = alloca <2 x i64>
  call void @llvm.masked.compressstore.v2i64(<2 x i64> %v0, ptr %s, <2 x i1> <i1 1, i1 1>)
  %j = load i64, ptr %s
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- tagload before vpstore
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: invalid_gcroot
; The slot is gathered with others at the begin of its block, and what fills it is not followed.
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %v0 = insertelement <2 x i64> zeroinitializer, i64 %i, i32 0
  %s = alloca <2 x i64>
  call void @llvm.vp.store.v2i64.p0(<2 x i64> %v0, ptr %s, <2 x i1> <i1 1, i1 1>, i32 2)
  %j = load i64, ptr %s
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- tagload before expect
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %j = call i64 @llvm.expect.i64(i64 %i, i64 5)
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- tagload before annotation
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  %i = load i64, ptr addrspace(1) %o
  call void @collect()
  %j = call i64 @llvm.annotation.i64.p0(i64 %i, ptr null, ptr null, i32 0)
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %j)
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
