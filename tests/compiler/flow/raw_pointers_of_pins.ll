; What is made of a raw pointer is none any more when the object is not pinned.
@gp = global ptr null
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.bswap.i64(i64)
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare {i64, i1} @llvm.uadd.with.overflow.i64(i64, i64)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.strip.invariant.group.p0(ptr)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare <2 x i64> @llvm.masked.load.v2i64.p0(ptr, i32, <2 x i1>, <2 x i64>)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
define internal ptr @sameptr(ptr returned %x) noinline nounwind "gc-leaf-function" {
  ret ptr %x
}
define internal ptr @passptr(ptr %x) noinline nounwind "gc-leaf-function" {
  ret ptr %x
}
;--- pin loose launder
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr @llvm.launder.invariant.group.p0(ptr %r)
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose strip
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr @llvm.strip.invariant.group.p0(ptr %r)
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose ptrmask
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr @llvm.ptrmask.p0.i64(ptr %r, i64 -8)
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose annot
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr @llvm.ptr.annotation.p0.p0(ptr %r, ptr null, ptr null, i32 0, ptr null)
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose intmul
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %one = add i64 %zero, 1
  %i2 = mul i64 %i, %one
  %a = inttoptr i64 %i2 to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose intfshl
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %i2 = call i64 @llvm.fshl.i64(i64 %i, i64 %i, i64 %zero)
  %a = inttoptr i64 %i2 to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose intumax
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %i2 = call i64 @llvm.umax.i64(i64 %i, i64 %n)
  %a = inttoptr i64 %i2 to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose intbswap
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %i2 = call i64 @llvm.bswap.i64(i64 %i)
  %i3 = call i64 @llvm.bswap.i64(i64 %i2)
  %a = inttoptr i64 %i3 to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose intshift
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %i2 = shl i64 %i, %zero
  %i3 = lshr i64 %i2, %zero
  %a = inttoptr i64 %i3 to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose inthalves
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %lo = trunc i64 %i to i32
  %h1 = lshr i64 %i, 32
  %hi = trunc i64 %h1 to i32
  %lo6 = zext i32 %lo to i64
  %hi6 = zext i32 %hi to i64
  %h2 = shl i64 %hi6, 32
  %i2 = or i64 %h2, %lo6
  %a = inttoptr i64 %i2 to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose intuaddo
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %i2 = call {i64, i1} @llvm.uadd.with.overflow.i64(i64 %i, i64 %zero)
  %i3 = extractvalue {i64, i1} %i2, 0
  %a = inttoptr i64 %i3 to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose intuaddsat
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %i2 = call i64 @llvm.uadd.sat.i64(i64 %i, i64 %zero)
  %a = inttoptr i64 %i2 to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose vec
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %q1 = insertelement <2 x ptr> zeroinitializer, ptr %r, i64 %zero
  %a = extractelement <2 x ptr> %q1, i64 %zero
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose reverse
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %q1 = insertelement <2 x ptr> zeroinitializer, ptr %r, i64 0
  %q2 = shufflevector <2 x ptr> %q1, <2 x ptr> poison, <2 x i32> <i32 1, i32 0>
  %a = extractelement <2 x ptr> %q2, i64 1
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose struct
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %q1 = insertvalue {ptr, i64} zeroinitializer, ptr %r, 0
  %a = extractvalue {ptr, i64} %q1, 0
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose mem
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %m = alloca ptr
  store volatile ptr %r, ptr %m
  %a = load volatile ptr, ptr %m
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose xchg
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %m = alloca ptr
  store ptr %r, ptr %m
  %a = atomicrmw xchg ptr %m, ptr null seq_cst
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = atomicrmw xchg ptr %m, ptr %r seq_cst
  %a = load ptr, ptr %m
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose cmpxchg
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %m = alloca ptr
  store ptr %r, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr null seq_cst seq_cst
  %a = extractvalue {ptr, i1} %a0, 0
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr %r seq_cst seq_cst
  %a = load ptr, ptr %m
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose memcpy
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %m = alloca ptr
  %m2 = alloca ptr
  store ptr %r, ptr %m
  call void @llvm.memcpy.p0.p0.i64(ptr %m2, ptr %m, i64 8, i1 true)
  %a = load ptr, ptr %m2
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose mload
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %m = alloca <2 x i64>
  %i = ptrtoint ptr %r to i64
  store volatile <2 x i64> zeroinitializer, ptr %m
  store i64 %i, ptr %m
  %v1 = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %m, i32 8, <2 x i1> <i1 1, i1 1>, <2 x i64> zeroinitializer)
  %i2 = extractelement <2 x i64> %v1, i32 0
  %a = inttoptr i64 %i2 to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose global
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  store ptr %r, ptr @gp
  %a = load ptr, ptr @gp
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose returned
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr @sameptr(ptr %r)
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose pass
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr @passptr(ptr %r)
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose asm
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr asm "", "=r,0"(ptr %r)
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose int
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %a = inttoptr i64 %i to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin loose intadd
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: a raw pointer into an object is used
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %i2 = add i64 %i, %zero
  %a = inttoptr i64 %i2 to ptr
  call void @smd.gc.unpin(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin held launder
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr @llvm.launder.invariant.group.p0(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin held strip
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr @llvm.strip.invariant.group.p0(ptr %r)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin held ptrmask
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr @llvm.ptrmask.p0.i64(ptr %r, i64 -8)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin held annot
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %a = call ptr @llvm.ptr.annotation.p0.p0(ptr %r, ptr null, ptr null, i32 0, ptr null)
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin held intmul
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %one = add i64 %zero, 1
  %i2 = mul i64 %i, %one
  %a = inttoptr i64 %i2 to ptr
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin held intfshl
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %i2 = call i64 @llvm.fshl.i64(i64 %i, i64 %i, i64 %zero)
  %a = inttoptr i64 %i2 to ptr
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin held intumax
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %i2 = call i64 @llvm.umax.i64(i64 %i, i64 %n)
  %a = inttoptr i64 %i2 to ptr
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
;--- pin held intbswap
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %i = ptrtoint ptr %r to i64
  %i2 = call i64 @llvm.bswap.i64(i64 %i)
  %i3 = call i64 @llvm.bswap.i64(i64 %i2)
  %a = inttoptr i64 %i3 to ptr
  call void @collect()
  %x = getelementptr i8, ptr %a, i64 8
  %v = load i64, ptr %x
  ret i64 %v
}
