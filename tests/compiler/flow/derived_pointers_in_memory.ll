; A derived pointer is written to a stack slot, and read from there; a reference is cast and back by intrinsics and assembly.
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1))
declare ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1), i64)
declare <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p0(ptr, i32, <2 x i1>, <2 x ptr addrspace(1)>)
declare void @llvm.masked.store.v2p1.p0(<2 x ptr addrspace(1)>, ptr, i32, <2 x i1>)
declare <2 x i64> @llvm.vp.ptrtoint.v2i64.v2p1(<2 x ptr addrspace(1)>, <2 x i1>, i32)
declare <2 x ptr addrspace(1)> @llvm.vp.inttoptr.v2p1.v2i64(<2 x i64>, <2 x i1>, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal ptr @sameptr(ptr returned %x) noinline nounwind "gc-leaf-function" {
  ret ptr %x
}
;--- der launder
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %q = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %d)
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- der ptrmask
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %q = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %d, i64 -8)
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- der ptrmaskv
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %zero = sub i64 %n, 77
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %mk = sub i64 %zero, 8
  %q = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %d, i64 %mk)
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- der xchg
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: its base cannot be found
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) null, ptr %s
  %a1 = atomicrmw xchg ptr %s, ptr addrspace(1) %d seq_cst
  %q = load ptr addrspace(1), ptr %s
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- der xchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: its base cannot be found
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %d, ptr %s
  %q = atomicrmw xchg ptr %s, ptr addrspace(1) null seq_cst
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- der cmpxchg
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: its base cannot be found
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) null, ptr %s
  %a1 = cmpxchg ptr %s, ptr addrspace(1) null, ptr addrspace(1) %d seq_cst seq_cst
  %q = load ptr addrspace(1), ptr %s
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- der cmpxchg2
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: its base cannot be found
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %d, ptr %s
  %a1 = cmpxchg ptr %s, ptr addrspace(1) null, ptr addrspace(1) null seq_cst seq_cst
  %q = extractvalue {ptr addrspace(1), i1} %a1, 0
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- der slotvol
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: its base cannot be found
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %s = alloca ptr addrspace(1)
  store volatile ptr addrspace(1) %d, ptr %s
  %q = load volatile ptr addrspace(1), ptr %s
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- der memcpyvol
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: its base cannot be found
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %s = alloca ptr addrspace(1)
  %s2 = alloca ptr addrspace(1)
  store ptr addrspace(1) %d, ptr %s
  call void @llvm.memcpy.p0.p0.i64(ptr %s2, ptr %s, i64 8, i1 true)
  %q = load ptr addrspace(1), ptr %s2
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- a derived pointer is copied to a slot before the safepoint, and read after it
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: derived
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %s = alloca ptr addrspace(1)
  %s2 = alloca ptr addrspace(1)
  store ptr addrspace(1) %d, ptr %s
  call void @llvm.memcpy.p0.p0.i64(ptr %s2, ptr %s, i64 8, i1 true)
  call void @collect()
  %q = load ptr addrspace(1), ptr %s2
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- a derived pointer is copied with others
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: copies a pointer that is derived from another one
define i64 @program(i64 %k) gc "statepoint-example" {
entry:
  %s = alloca [128 x ptr addrspace(1)]
  %s2 = alloca [128 x ptr addrspace(1)]
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %e = getelementptr [128 x ptr addrspace(1)], ptr %s, i64 0, i64 %k
  store [128 x ptr addrspace(1)] zeroinitializer, ptr %s
  store ptr addrspace(1) %d, ptr %e
  call void @llvm.memcpy.p0.p0.i64(ptr %s2, ptr %s, i64 1024, i1 false)
  call void @collect()
  %e2 = getelementptr [128 x ptr addrspace(1)], ptr %s2, i64 0, i64 %k
  %q = load ptr addrspace(1), ptr %e2
  %v = load i64, ptr addrspace(1) %q
  ret i64 %v
}
;--- der mload
; RUN: opt=0 safepoints=none
; STATUS: cannot_rewrite
; ERROR @program: its base cannot be found
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v0 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %d, i32 0
  %s = alloca <2 x ptr addrspace(1)>
  store <2 x ptr addrspace(1)> %v0, ptr %s
  %v1 = call <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p0(ptr %s, i32 8, <2 x i1> <i1 1, i1 1>, <2 x ptr addrspace(1)> zeroinitializer)
  %q = extractelement <2 x ptr addrspace(1)> %v1, i32 0
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- der mloadpass
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v0 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %d, i32 0
  %s = alloca <2 x ptr addrspace(1)>
  store <2 x ptr addrspace(1)> zeroinitializer, ptr %s
  %v1 = call <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p0(ptr %s, i32 8, <2 x i1> <i1 0, i1 0>, <2 x ptr addrspace(1)> %v0)
  %q = extractelement <2 x ptr addrspace(1)> %v1, i32 0
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- dmid3 mstore
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
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v0 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %d, i32 0
  %s = alloca <2 x ptr addrspace(1)>
  call void @llvm.masked.store.v2p1.p0(<2 x ptr addrspace(1)> %v0, ptr %s, i32 8, <2 x i1> <i1 1, i1 1>)
  call void @collect()
  %q = load ptr addrspace(1), ptr %s
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- der vpcast
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v0 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %d, i32 0
  %v1 = call <2 x i64> @llvm.vp.ptrtoint.v2i64.v2p1(<2 x ptr addrspace(1)> %v0, <2 x i1> <i1 1, i1 1>, i32 2)
  %v2 = call <2 x ptr addrspace(1)> @llvm.vp.inttoptr.v2p1.v2i64(<2 x i64> %v1, <2 x i1> <i1 1, i1 1>, i32 2)
  %q = extractelement <2 x ptr addrspace(1)> %v2, i32 0
  call void @collect()
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- mid2 vpcast
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %v0 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %o, i32 0
  %v1 = call <2 x i64> @llvm.vp.ptrtoint.v2i64.v2p1(<2 x ptr addrspace(1)> %v0, <2 x i1> <i1 1, i1 1>, i32 2)
  call void @collect()
  %v2 = call <2 x ptr addrspace(1)> @llvm.vp.inttoptr.v2p1.v2i64(<2 x i64> %v1, <2 x i1> <i1 1, i1 1>, i32 2)
  %q = extractelement <2 x ptr addrspace(1)> %v2, i32 0
  %p = getelementptr i8, ptr addrspace(1) %q, i64 0
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- dmid2 vpcast
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v0 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %d, i32 0
  %v1 = call <2 x i64> @llvm.vp.ptrtoint.v2i64.v2p1(<2 x ptr addrspace(1)> %v0, <2 x i1> <i1 1, i1 1>, i32 2)
  call void @collect()
  %v2 = call <2 x ptr addrspace(1)> @llvm.vp.inttoptr.v2p1.v2i64(<2 x i64> %v1, <2 x i1> <i1 1, i1 1>, i32 2)
  %q = extractelement <2 x ptr addrspace(1)> %v2, i32 0
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- mid2 cast0returned
; RUN: opt=0 safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %j = addrspacecast ptr addrspace(1) %o to ptr
  %j2 = call ptr @sameptr(ptr %j)
  call void @collect()
  %q = addrspacecast ptr %j2 to ptr addrspace(1)
  %p = getelementptr i8, ptr addrspace(1) %q, i64 0
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- dmid2 cast0returned
; RUN: opt=0 safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
; RUN: opt={1,2,3} safepoints=none
; RESULT: 77 = 77
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %j = addrspacecast ptr addrspace(1) %d to ptr
  %j2 = call ptr @sameptr(ptr %j)
  call void @collect()
  %q = addrspacecast ptr %j2 to ptr addrspace(1)
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- mid2 cast0asm
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %j = addrspacecast ptr addrspace(1) %o to ptr
  %j2 = call ptr asm "", "=r,0"(ptr %j)
  call void @collect()
  %q = addrspacecast ptr %j2 to ptr addrspace(1)
  %p = getelementptr i8, ptr addrspace(1) %q, i64 0
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
;--- dmid2 cast0asm
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: safepoint_violation
; ERROR @program: A reference is cast by
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 1)
  store ptr addrspace(1) null, ptr addrspace(1) %o
  %w = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %n, ptr addrspace(1) %w
  %d = getelementptr i8, ptr addrspace(1) %o, i64 8
  %j = addrspacecast ptr addrspace(1) %d to ptr
  %j2 = call ptr asm "", "=r,0"(ptr %j)
  call void @collect()
  %q = addrspacecast ptr %j2 to ptr addrspace(1)
  %p = getelementptr i8, ptr addrspace(1) %q, i64 -8
  %x = getelementptr i8, ptr addrspace(1) %p, i64 8
  %v = load i64, ptr addrspace(1) %x
  ret i64 %v
}
