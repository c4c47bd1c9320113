; A word that holds a reference is written and read by way of another address.
@gp = global ptr null
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
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
;--- word both launder
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %a = call ptr @llvm.launder.invariant.group.p0(ptr %s)
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both strip
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %a = call ptr @llvm.strip.invariant.group.p0(ptr %s)
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both ptrmask
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %a = call ptr @llvm.ptrmask.p0.i64(ptr %s, i64 -8)
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both annot
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %a = call ptr @llvm.ptr.annotation.p0.p0(ptr %s, ptr null, ptr null, i32 0, ptr null)
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both intmul
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %s = alloca i64, align 8
  %i = ptrtoint ptr %s to i64
  %one = add i64 %zero, 1
  %i2 = mul i64 %i, %one
  %a = inttoptr i64 %i2 to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both intfshl
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %s = alloca i64, align 8
  %i = ptrtoint ptr %s to i64
  %i2 = call i64 @llvm.fshl.i64(i64 %i, i64 %i, i64 %zero)
  %a = inttoptr i64 %i2 to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both intumax
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %i = ptrtoint ptr %s to i64
  %i2 = call i64 @llvm.umax.i64(i64 %i, i64 %n)
  %a = inttoptr i64 %i2 to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both intbswap
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %i = ptrtoint ptr %s to i64
  %i2 = call i64 @llvm.bswap.i64(i64 %i)
  %i3 = call i64 @llvm.bswap.i64(i64 %i2)
  %a = inttoptr i64 %i3 to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both intshift
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %s = alloca i64, align 8
  %i = ptrtoint ptr %s to i64
  %i2 = shl i64 %i, %zero
  %i3 = lshr i64 %i2, %zero
  %a = inttoptr i64 %i3 to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both inthalves
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %i = ptrtoint ptr %s to i64
  %lo = trunc i64 %i to i32
  %h1 = lshr i64 %i, 32
  %hi = trunc i64 %h1 to i32
  %lo6 = zext i32 %lo to i64
  %hi6 = zext i32 %hi to i64
  %h2 = shl i64 %hi6, 32
  %i2 = or i64 %h2, %lo6
  %a = inttoptr i64 %i2 to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both intuaddo
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %s = alloca i64, align 8
  %i = ptrtoint ptr %s to i64
  %i2 = call {i64, i1} @llvm.uadd.with.overflow.i64(i64 %i, i64 %zero)
  %i3 = extractvalue {i64, i1} %i2, 0
  %a = inttoptr i64 %i3 to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both intuaddsat
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %s = alloca i64, align 8
  %i = ptrtoint ptr %s to i64
  %i2 = call i64 @llvm.uadd.sat.i64(i64 %i, i64 %zero)
  %a = inttoptr i64 %i2 to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both vec
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %s = alloca i64, align 8
  %q1 = insertelement <2 x ptr> zeroinitializer, ptr %s, i64 %zero
  %a = extractelement <2 x ptr> %q1, i64 %zero
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both reverse
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %q1 = insertelement <2 x ptr> zeroinitializer, ptr %s, i64 0
  %q2 = shufflevector <2 x ptr> %q1, <2 x ptr> poison, <2 x i32> <i32 1, i32 0>
  %a = extractelement <2 x ptr> %q2, i64 1
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both struct
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %q1 = insertvalue {ptr, i64} zeroinitializer, ptr %s, 0
  %a = extractvalue {ptr, i64} %q1, 0
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both mem
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %m = alloca ptr
  store volatile ptr %s, ptr %m
  %a = load volatile ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both xchg
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %m = alloca ptr
  store ptr %s, ptr %m
  %a = atomicrmw xchg ptr %m, ptr null seq_cst
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = atomicrmw xchg ptr %m, ptr %s seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both cmpxchg
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %m = alloca ptr
  store ptr %s, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr null seq_cst seq_cst
  %a = extractvalue {ptr, i1} %a0, 0
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %m = alloca ptr
  store ptr null, ptr %m
  %a0 = cmpxchg ptr %m, ptr null, ptr %s seq_cst seq_cst
  %a = load ptr, ptr %m
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both memcpy
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %m = alloca ptr
  %m2 = alloca ptr
  store ptr %s, ptr %m
  call void @llvm.memcpy.p0.p0.i64(ptr %m2, ptr %m, i64 8, i1 true)
  %a = load ptr, ptr %m2
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both mload
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %m = alloca <2 x i64>
  %i = ptrtoint ptr %s to i64
  store volatile <2 x i64> zeroinitializer, ptr %m
  store i64 %i, ptr %m
  %v1 = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %m, i32 8, <2 x i1> <i1 1, i1 1>, <2 x i64> zeroinitializer)
  %i2 = extractelement <2 x i64> %v1, i32 0
  %a = inttoptr i64 %i2 to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both global
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  store ptr %s, ptr @gp
  %a = load ptr, ptr @gp
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both returned
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %a = call ptr @sameptr(ptr %s)
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both pass
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %a = call ptr @passptr(ptr %s)
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both asm
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %a = call ptr asm "", "=r,0"(ptr %s)
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both int
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  %i = ptrtoint ptr %s to i64
  %a = inttoptr i64 %i to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word both intadd
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %s = alloca i64, align 8
  %i = ptrtoint ptr %s to i64
  %i2 = add i64 %i, %zero
  %a = inttoptr i64 %i2 to ptr
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word late launder
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  store ptr addrspace(1) %o, ptr %s
  call void @collect()
  %a = call ptr @llvm.launder.invariant.group.p0(ptr %s)
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word late strip
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  store ptr addrspace(1) %o, ptr %s
  call void @collect()
  %a = call ptr @llvm.strip.invariant.group.p0(ptr %s)
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word late ptrmask
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  store ptr addrspace(1) %o, ptr %s
  call void @collect()
  %a = call ptr @llvm.ptrmask.p0.i64(ptr %s, i64 -8)
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word late annot
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %s = alloca i64, align 8
  store ptr addrspace(1) %o, ptr %s
  call void @collect()
  %a = call ptr @llvm.ptr.annotation.p0.p0(ptr %s, ptr null, ptr null, i32 0, ptr null)
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word late intmul
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %s = alloca i64, align 8
  store ptr addrspace(1) %o, ptr %s
  call void @collect()
  %i = ptrtoint ptr %s to i64
  %one = add i64 %zero, 1
  %i2 = mul i64 %i, %one
  %a = inttoptr i64 %i2 to ptr
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- word late intfshl
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: The stack slot
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %s = alloca i64, align 8
  store ptr addrspace(1) %o, ptr %s
  call void @collect()
  %i = ptrtoint ptr %s to i64
  %i2 = call i64 @llvm.fshl.i64(i64 %i, i64 %i, i64 %zero)
  %a = inttoptr i64 %i2 to ptr
  %p = load ptr addrspace(1), ptr %a
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
