; random: target=aarch64-unknown-linux-gnu opt=2 poll=tls:poll_thread:8 safepoints=return gc_registers=4 frame_pointer=none code_model=large counted_loop_bits=0 elide=leaf
; compile: codegen_failed: gc_registers is taken as 0: the module has GC transitions, and a reference in a register could not be found while native code runs
; seed 70021
%node = type { [3 x ptr addrspace(1)], [8 x i64] }

@fuel = internal global i64 0

declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @throw_value(ptr addrspace(1))
declare i64 @observe(i64)
declare i64 @reenter(ptr addrspace(1), i64)
declare ptr addrspace(1) @caught() "gc-leaf-function"
declare void @note(i64) nounwind "gc-leaf-function"
declare void @keep(i64, ptr addrspace(1)) nounwind "gc-leaf-function"
declare ptr addrspace(1) @kept(i64) nounwind "gc-leaf-function"
declare i64 @touch(ptr, i64, i64) nounwind "gc-leaf-function"
declare i32 @handle_all(...)
declare i32 @handle_catches(...)
declare i64 @llvm.experimental.deoptimize.i64(...)
declare double @llvm.floor.f64(double)
declare double @llvm.fabs.f64(double)
declare double @llvm.trunc.f64(double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1))
declare ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1))
declare ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1), i64)
declare <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p1(ptr addrspace(1), i32, <2 x i1>, <2 x ptr addrspace(1)>)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.result.p1(token)
declare <2 x i64> @llvm.masked.gather.v2i64.v2p1(<2 x ptr addrspace(1)>, i32, <2 x i1>, <2 x i64>)
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
@united = external global [4 x { i64, i64 }]
@has_barriers = constant i8 1
declare void @llvm.gcroot(ptr, ptr)
@thread_state = external global i32
declare i64 @native(i64)
declare void @calm() nounwind "gc-leaf-function"
@table = internal constant [2 x ptr] [ptr @reentered, ptr @listed]

define internal ptr addrspace(1) @make(i64 %word, ptr addrspace(1) %next) gc "statepoint-example" {
  %object = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %object, ptr addrspace(1) %object
  %field = getelementptr i8, ptr addrspace(1) %object, i64 8
  store ptr addrspace(1) %next, ptr addrspace(1) %field
  %at = getelementptr i8, ptr addrspace(1) %object, i64 24
  store i64 %word, ptr addrspace(1) %at
  ret ptr addrspace(1) %object
}

declare i64 @scatter(i64) memory(none)

define internal i64 @peek(ptr addrspace(1) %o, i64 %n) noinline {
  %w = add i64 %n, 3
  %at = getelementptr i64, ptr addrspace(1) %o, i64 %w
  %v = load i64, ptr addrspace(1) %at
  ret i64 %v
}

define internal i64 @poke(ptr addrspace(1) %o, i64 %n) noinline nounwind {
  %v = call i64 @peek(ptr addrspace(1) %o, i64 %n)
  %w = add i64 %n, 3
  %at = getelementptr i64, ptr addrspace(1) %o, i64 %w
  %x = add i64 %v, 77
  store i64 %x, ptr addrspace(1) %at
  ret i64 %v
}

define internal i64 @climb(ptr addrspace(1) %o, i64 %n) noinline "smd-safepoints"="none" gc "statepoint-example" {
  %v = call i64 @peek(ptr addrspace(1) %o, i64 %n)
  %end = icmp eq i64 %n, 0
  br i1 %end, label %last, label %on
last:
  ret i64 %v
on:
  %m = sub i64 %n, 1
  %r = call i64 @climb(ptr addrspace(1) %o, i64 %m)
  %x = call i64 @poke(ptr addrspace(1) %o, i64 %m)
  %y = xor i64 %r, %x
  %z = add i64 %y, %v
  ret i64 %z
}

define internal i64 @stir(ptr addrspace(1) %o, i64 %n) noinline "smd-safepoints"="none" gc "statepoint-example" {
  call void @collect()
  %v = call i64 @peek(ptr addrspace(1) %o, i64 %n)
  ret i64 %v
}

define internal i64 @sift(ptr addrspace(1) %o, i64 %n) noinline "smd-safepoints"="none" gc "statepoint-example" {
  %v = call i64 @poke(ptr addrspace(1) %o, i64 %n)
  %odd = and i64 %v, 1
  %is = icmp eq i64 %odd, 0
  br i1 %is, label %even, label %last
even:
  %w = call i64 @stir(ptr addrspace(1) %o, i64 %n)
  br label %last
last:
  %x = call i64 @peek(ptr addrspace(1) %o, i64 %n)
  %y = add i64 %x, %v
  ret i64 %y
}

define internal i64 @shake(ptr addrspace(1) %o, i64 %n) noinline "smd-safepoints"="none" gc "statepoint-example" {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %last, label %on
last:
  %v = call i64 @stir(ptr addrspace(1) %o, i64 %n)
  ret i64 %v
on:
  %m = sub i64 %n, 1
  %r = call i64 @shake(ptr addrspace(1) %o, i64 %m)
  %x = call i64 @peek(ptr addrspace(1) %o, i64 %m)
  %z = add i64 %r, %x
  ret i64 %z
}

define internal i64 @hashed(ptr addrspace(1) %o, i64 %n) noinline {
  %v = call i64 @peek(ptr addrspace(1) %o, i64 %n)
  %h = call i64 @scatter(i64 %v)
  ret i64 %h
}

define internal i64 @over(ptr addrspace(1) %o, i64 %n) noinline "smd-safepoints"="entry" gc "statepoint-example" {
  %v = call i64 @peek(ptr addrspace(1) %o, i64 %n)
  ret i64 %v
}

define internal { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %object, i64 %n) noinline gc "statepoint-example" {
  %r = alloca { i1, ptr addrspace(1) }
  %odd = trunc i64 %n to i1
  br i1 %odd, label %some, label %none
some:
  %next = load ptr addrspace(1), ptr addrspace(1) %object
  store i1 true, ptr %r
  %at = getelementptr { i1, ptr addrspace(1) }, ptr %r, i64 0, i32 1
  store ptr addrspace(1) %next, ptr %at
  br label %end
none:
  store i1 false, ptr %r
  br label %end
end:
  %v = load { i1, ptr addrspace(1) }, ptr %r
  ret { i1, ptr addrspace(1) } %v
}

define internal void @pushed(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h) noinline gc "statepoint-example" {
  call void @collect()
  ret void
}

define internal ptr addrspace(1) @crowded(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, ptr addrspace(1) %object) gc "statepoint-example" {
  call void @note(i64 %a)
  %wide = alloca [64 x i8], align 64
  %slot = alloca ptr addrspace(1)
  store ptr addrspace(1) %object, ptr %slot
  call void asm sideeffect "", "r,r,~{memory}"(ptr %slot, ptr %wide)
  call void @pushed(i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %a)
  %v = load ptr addrspace(1), ptr %slot
  ret ptr addrspace(1) %v
}

define internal ptr addrspace(1) @rooted(ptr addrspace(1) %o, i64 %n) noinline nounwind gc "shadow-stack" {
  %kept = alloca ptr addrspace(1)
  %made = alloca ptr addrspace(1)
  call void @llvm.gcroot(ptr %kept, ptr null)
  call void @llvm.gcroot(ptr %made, ptr null)
  store ptr addrspace(1) null, ptr %made
  store ptr addrspace(1) %o, ptr %kept
  call void @collect() nounwind
  %a = load ptr addrspace(1), ptr %kept
  %m = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %a) nounwind
  store ptr addrspace(1) %m, ptr %made
  call void @collect() nounwind
  %b = load ptr addrspace(1), ptr %kept
  %c = load ptr addrspace(1), ptr %made
  %slot = getelementptr i8, ptr addrspace(1) %c, i64 16
  call void @llvm.gcwrite(ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %slot)
  ret ptr addrspace(1) %c
}
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.strip.invariant.group.p0(ptr)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1), ptr, ptr, i32, ptr)
declare i64 @llvm.expect.i64(i64, i64)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.bswap.i64(i64)
declare i64 @llvm.bitreverse.i64(i64)
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
declare i64 @llvm.vector.reduce.or.v2i64(<2 x i64>)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define internal ptr addrspace(1) @"same.ptr addrspace(1)"(ptr addrspace(1) returned %v) noinline nounwind "gc-leaf-function" {
  ret ptr addrspace(1) %v
}
define internal ptr @"same.ptr"(ptr returned %v) noinline nounwind "gc-leaf-function" {
  ret ptr %v
}
define internal i64 @"same.i64"(i64 returned %v) noinline nounwind "gc-leaf-function" {
  ret i64 %v
}

define internal ptr addrspace(1) @f0(ptr addrspace(1) %p0) nounwind gc "statepoint-example" {
entry:
  %sum = alloca i64
  store i64 0, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret ptr addrspace(1) null
run:
  %v3 = getelementptr i8, ptr addrspace(1) %p0, i64 0
  %v5 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %p0)
  %a8 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v5, ptr %a8
  %b8 = cmpxchg ptr %a8, ptr addrspace(1) %v5, ptr addrspace(1) %v5 seq_cst seq_cst
  %v7 = extractvalue { ptr addrspace(1), i1 } %b8, 0
  %a10 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v5, ptr %a10
  %v9 = atomicrmw xchg ptr %a10, ptr addrspace(1) %v5 seq_cst
  %v11 = icmp eq i64 265, 265
  br i1 %v11, label %b15, label %b16
b15:
  %v12 = phi ptr addrspace(1) [ %v9, %run ], [ %v77, %b74 ]
  %v18 = getelementptr i8, ptr addrspace(1) %v5, i64 80
  store i64 633, ptr addrspace(1) %v18
  %v21 = trunc i64 0 to i32
  %v19 = insertelement <4 x i32> zeroinitializer, i32 %v21, i32 0
  %v20 = add <4 x i32> %v19, <i32 1, i32 2, i32 3, i32 46>
  %v22 = call <2 x ptr addrspace(1)> @f1(ptr addrspace(1) %v5, <4 x i32> %v20)
  %v23 = insertelement <4 x i32> zeroinitializer, i32 %v21, i32 0
  %v24 = add <4 x i32> %v23, <i32 1, i32 2, i32 3, i32 49>
  %v25 = call <2 x ptr addrspace(1)> @f1(ptr addrspace(1) %p0, <4 x i32> %v24)
  %v26 = call ptr addrspace(1) @make(i64 4096, ptr addrspace(1) null)
  %v27 = and i64 993, 3
  %v28 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v27, i32 0
  %v29 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v27, i32 1
  br label %b41
b41:
  %v34 = phi i64 [ 0, %b15 ], [ %v35, %b44 ]
  %v38 = phi i64 [ 0, %b15 ], [ %v37, %b44 ]
  %v30 = load i64, ptr %v28
  %v31 = icmp eq i64 %v30, 1
  br i1 %v31, label %b42, label %b43
b42:
  %v32 = load ptr addrspace(1), ptr %v29
  call void @collect()
  %v40 = getelementptr i8, ptr addrspace(1) %v32, i64 24
  %v39 = load i64, ptr addrspace(1) %v40
  br label %b44
b43:
  %v33 = load i64, ptr %v29
  br label %b44
b44:
  %v46 = phi i64 [ %v39, %b42 ], [ %v33, %b43 ]
  %v37 = add i64 %v38, %v46
  %v35 = add i64 %v34, 1
  %v36 = icmp uge i64 %v35, 3
  br i1 %v36, label %b45, label %b41
b45:
  %v47 = getelementptr i8, ptr addrspace(1) %v26, i64 24
  store i64 %v37, ptr addrspace(1) %v47
  %v48 = load i64, ptr @fuel
  %v49 = sub i64 %v48, 1
  store i64 %v49, ptr @fuel
  %v50 = icmp slt i64 %v48, 1
  br i1 %v50, label %b17, label %b16
b16:
  %v13 = phi ptr addrspace(1) [ %p0, %run ], [ %v9, %b45 ]
  %v52 = and i64 668, 7
  %v51 = call i64 @climb(ptr addrspace(1) %p0, i64 %v52)
  %v54 = trunc i64 %v51 to i32
  %v53 = sitofp i32 %v54 to double
  %v55 = call double @llvm.floor.f64(double %v53)
  %v56 = and i64 %v51, 3
  %v57 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v56, i32 0
  %v58 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v56, i32 1
  br label %b70
b70:
  %v63 = phi i64 [ 0, %b16 ], [ %v64, %b73 ]
  %v67 = phi i64 [ 0, %b16 ], [ %v66, %b73 ]
  %v59 = load i64, ptr %v57
  %v60 = icmp eq i64 %v59, 1
  br i1 %v60, label %b71, label %b72
b71:
  %v61 = load ptr addrspace(1), ptr %v58
  call void @collect()
  %v69 = getelementptr i8, ptr addrspace(1) %v61, i64 24
  %v68 = load i64, ptr addrspace(1) %v69
  br label %b73
b72:
  %v62 = load i64, ptr %v58
  br label %b73
b73:
  %v75 = phi i64 [ %v68, %b71 ], [ %v62, %b72 ]
  %v66 = add i64 %v67, %v75
  %v64 = add i64 %v63, 1
  %v65 = icmp uge i64 %v64, 4
  br i1 %v65, label %b74, label %b70
b74:
  call void @collect() [ "gc-live"(ptr addrspace(1) %p0, ptr addrspace(1) %v13) ]
  %v76 = icmp eq ptr addrspace(1) %v13, null
  %v77 = select i1 %v76, ptr addrspace(1) %p0, ptr addrspace(1) %v13
  %v78 = getelementptr %node, ptr addrspace(1) %v77, i64 0, i32 1, i64 0
  %v79 = load i64, ptr addrspace(1) %v78
  %v80 = load i64, ptr %sum
  %v81 = mul i64 %v80, 31
  %v82 = xor i64 %v81, %v79
  store i64 %v82, ptr %sum
  %v83 = load i64, ptr @fuel
  %v84 = sub i64 %v83, 1
  store i64 %v84, ptr @fuel
  %v85 = icmp slt i64 %v83, 1
  br i1 %v85, label %b17, label %b15
b17:
  %v14 = phi ptr addrspace(1) [ %v9, %b45 ], [ %v77, %b74 ]
  %v86 = call ptr addrspace(1) @kept(i64 3)
  %v89 = trunc i64 351 to i32
  %v87 = insertelement <4 x i32> zeroinitializer, i32 %v89, i32 3
  %v88 = add <4 x i32> %v87, <i32 1, i32 2, i32 3, i32 78>
  %v90 = call <2 x ptr addrspace(1)> @f1(ptr addrspace(1) %p0, <4 x i32> %v88)
  %v92 = extractelement <2 x ptr addrspace(1)> %v90, i32 1
  %v93 = call ptr addrspace(1) asm sideeffect "", "=r,0"(ptr addrspace(1) %v14)
  %v94 = call ptr addrspace(1) @crowded(i64 646, i64 1, i64 780, i64 3, i64 4, i64 5, i64 6, i64 7, ptr addrspace(1) %v5)
  %v95 = load ptr addrspace(1), ptr addrspace(1) %v94
  call void @collect() [ "gc-type"(ptr addrspace(1) %v95, i64 6) ]
  %v96 = getelementptr %node, ptr addrspace(1) %v94, i64 0, i32 0, i64 2
  %v98 = cmpxchg ptr addrspace(1) %v96, ptr addrspace(1) %v9, ptr addrspace(1) %v14 acq_rel monotonic
  %v97 = extractvalue { ptr addrspace(1), i1 } %v98, 0
  %v99 = extractvalue { ptr addrspace(1), i1 } %v98, 1
  %v100 = and i64 85, 3
  %v101 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v100, i32 1
  %v102 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v100, i32 0
  store i64 615, ptr %v101
  store i64 0, ptr %v102
  %v103 = shufflevector <2 x ptr addrspace(1)> %v90, <2 x ptr addrspace(1)> %v90, <2 x i32> <i32 3, i32 1>
  %v105 = icmp eq ptr addrspace(1) %v14, null
  %v106 = select i1 %v105, ptr addrspace(1) %p0, ptr addrspace(1) %v14
  %v107 = getelementptr i8, ptr addrspace(1) %v106, i64 24
  %v108 = load i64, ptr addrspace(1) %v107
  %v109 = load i64, ptr %sum
  %v110 = mul i64 %v109, 31
  %v111 = xor i64 %v110, %v108
  store i64 %v111, ptr %sum
  %v112 = getelementptr i8, ptr addrspace(1) %v7, i64 24
  %v113 = load i64, ptr addrspace(1) %v112
  %v114 = load i64, ptr %sum
  %v115 = mul i64 %v114, 31
  %v116 = xor i64 %v115, %v113
  store i64 %v116, ptr %sum
  %v117 = icmp eq ptr addrspace(1) %v86, null
  %v118 = select i1 %v117, ptr addrspace(1) %v94, ptr addrspace(1) %v86
  %v119 = getelementptr i8, ptr addrspace(1) %v118, i64 24
  %v120 = load i64, ptr addrspace(1) %v119
  %v121 = load i64, ptr %sum
  %v122 = mul i64 %v121, 31
  %v123 = xor i64 %v122, %v120
  store i64 %v123, ptr %sum
  %v124 = load i64, ptr %sum
  call void @note(i64 %v124)
  ret ptr addrspace(1) %v94
}

define internal <2 x ptr addrspace(1)> @f1(ptr addrspace(1) %p0, <4 x i32> %p1) nounwind gc "statepoint-example" {
entry:
  %sum = alloca i64
  store i64 1, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret <2 x ptr addrspace(1)> zeroinitializer
run:
  %a4 = insertvalue { i32, ptr addrspace(1) } poison, ptr addrspace(1) %p0, 1
  %v3 = extractvalue { i32, ptr addrspace(1) } %a4, 1
  %v5 = getelementptr i8, ptr addrspace(1) %p0, i64 0
  %a8 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v5, ptr %a8
  %b8 = cmpxchg ptr %a8, ptr addrspace(1) %v5, ptr addrspace(1) %v5 seq_cst seq_cst
  %v7 = extractvalue { ptr addrspace(1), i1 } %b8, 0
  %a10 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v3, i32 1
  %v9 = extractelement <2 x ptr addrspace(1)> %a10, i32 1
  %v11 = call i64 @reenter(ptr addrspace(1) %v5, i64 83)
  %v12 = extractelement <4 x i32> %p1, i32 0
  %v13 = zext i32 %v12 to i64
  %v14 = load i64, ptr %sum
  %v15 = mul i64 %v14, 31
  %v16 = xor i64 %v15, %v13
  store i64 %v16, ptr %sum
  %v17 = extractelement <4 x i32> %p1, i32 3
  %v18 = zext i32 %v17 to i64
  %v19 = load i64, ptr %sum
  %v20 = mul i64 %v19, 31
  %v21 = xor i64 %v20, %v18
  store i64 %v21, ptr %sum
  %v23 = trunc i64 %v11 to i32
  %v22 = sitofp i32 %v23 to double
  %v24 = fsub double %v22, %v22
  %v25 = icmp ne i64 %v11, %v11
  br i1 %v25, label %b29, label %b30
b29:
  %v26 = phi ptr addrspace(1) [ %v3, %run ], [ %v7, %b61 ]
  %v32 = and i64 %v11, 3
  %v33 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v32, i32 1
  %v34 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v32, i32 0
  store ptr addrspace(1) %v5, ptr %v33
  store i64 1, ptr %v34
  %v35 = icmp eq ptr addrspace(1) %v26, null
  %v36 = select i1 %v35, ptr addrspace(1) %p0, ptr addrspace(1) %v26
  %v38 = getelementptr i8, ptr addrspace(1) %v36, i64 40
  %v37 = load i64, ptr addrspace(1) %v38
  %v39 = load i64, ptr @fuel
  %v40 = sub i64 %v39, 1
  store i64 %v40, ptr @fuel
  %v41 = icmp slt i64 %v39, 1
  br i1 %v41, label %b31, label %b30
b30:
  %v27 = phi ptr addrspace(1) [ %p0, %run ], [ %v26, %b29 ]
  %v44 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v27, i32 0
  %v45 = insertelement <2 x ptr addrspace(1)> %v44, ptr addrspace(1) %v3, i32 1
  br label %b42
b42:
  %v46 = phi <2 x ptr addrspace(1)> [ %v45, %b30 ], [ %v45, %b56 ]
  %v47 = phi ptr addrspace(1) [ %v9, %b30 ], [ %v48, %b56 ]
  %v53 = load i64, ptr @fuel
  %v54 = sub i64 %v53, 1
  store i64 %v54, ptr @fuel
  %v55 = icmp slt i64 %v53, 1
  %v50 = icmp eq ptr addrspace(1) %v47, null
  %v51 = or i1 %v55, %v50
  br i1 %v51, label %b43, label %b56
b56:
  %v57 = call ptr addrspace(1) @rooted(ptr addrspace(1) %v5, i64 %v11)
  %v58 = getelementptr %node, ptr addrspace(1) %v57, i64 0, i32 1, i64 0
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 %v58, i8 186, i64 8, i1 false) "smd-no-references"
  %v52 = select i1 %v50, ptr addrspace(1) %p0, ptr addrspace(1) %v47
  %v49 = getelementptr i8, ptr addrspace(1) %v52, i64 8
  %v48 = load ptr addrspace(1), ptr addrspace(1) %v49
  br label %b42
b43:
  %v59 = phi i32 [ %v23, %b42 ]
  br label %b60
b60:
  %v62 = phi ptr addrspace(1) [ %v27, %b43 ], [ %v47, %b73 ]
  %v63 = load i64, ptr @fuel
  %v64 = sub i64 %v63, 1
  store i64 %v64, ptr @fuel
  %v65 = icmp slt i64 %v63, 1
  br i1 %v65, label %b61, label %b66
b66:
  %v67 = call i64 @native(i64 9223372036854775807) [ "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v68 = icmp eq ptr addrspace(1) %v27, null
  %v69 = select i1 %v68, ptr addrspace(1) %p0, ptr addrspace(1) %v27
  %v70 = getelementptr i8, ptr addrspace(1) %v69, i64 8
  %v72 = insertelement <2 x i1> <i1 true, i1 true>, i1 %v25, i32 1
  %v71 = call <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p1(ptr addrspace(1) %v70, i32 8, <2 x i1> %v72, <2 x ptr addrspace(1)> %v45)
  br i1 %v25, label %b61, label %b73
b73:
  br label %b60
b61:
  %v74 = phi i32 [ %v59, %b60 ], [ %v23, %b66 ]
  %v76 = and i64 %v11, 7
  %v75 = call i64 @stir(ptr addrspace(1) %p0, i64 %v76)
  %v78 = and i64 %v75, 7
  %v77 = call i64 @poke(ptr addrspace(1) %v9, i64 %v78)
  %v79 = load i64, ptr @fuel
  %v80 = sub i64 %v79, 1
  store i64 %v80, ptr @fuel
  %v81 = icmp slt i64 %v79, 1
  br i1 %v81, label %b31, label %b29
b31:
  %v28 = phi ptr addrspace(1) [ %v26, %b29 ], [ %v7, %b61 ]
  %v82 = load ptr addrspace(1), ptr addrspace(1) %v7
  call void @collect() [ "gc-type"(ptr addrspace(1) %v82, i64 7) ]
  %v83 = load i64, ptr %sum
  %v84 = mul i64 %v83, 31
  %v85 = xor i64 %v84, %v11
  store i64 %v85, ptr %sum
  %v86 = icmp eq ptr addrspace(1) %v28, null
  %v87 = select i1 %v86, ptr addrspace(1) %v82, ptr addrspace(1) %v28
  %v88 = getelementptr i8, ptr addrspace(1) %v87, i64 24
  %v89 = load i64, ptr addrspace(1) %v88
  %v90 = load i64, ptr %sum
  %v91 = mul i64 %v90, 31
  %v92 = xor i64 %v91, %v89
  store i64 %v92, ptr %sum
  %v93 = icmp eq ptr addrspace(1) %v28, null
  %v94 = select i1 %v93, ptr addrspace(1) %v7, ptr addrspace(1) %v28
  %v95 = getelementptr i8, ptr addrspace(1) %v94, i64 24
  %v96 = load i64, ptr addrspace(1) %v95
  %v97 = load i64, ptr %sum
  %v98 = mul i64 %v97, 31
  %v99 = xor i64 %v98, %v96
  store i64 %v99, ptr %sum
  %v100 = load i64, ptr %sum
  call void @note(i64 %v100)
  %v101 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v28, i32 0
  %v102 = insertelement <2 x ptr addrspace(1)> %v101, ptr addrspace(1) %v28, i32 1
  ret <2 x ptr addrspace(1)> %v102
}

define i64 @listed(ptr addrspace(1) %p0, i64 %p1) nounwind gc "statepoint-example" {
entry:
  %sum = alloca i64
  store i64 2, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = load ptr addrspace(1), ptr addrspace(1) %p0
  call void @collect() [ "gc-type"(ptr addrspace(1) %v3, i64 2) ]
  call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 144, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0)
  %v7 = and i64 %p1, 7
  %v6 = call i64 @climb(ptr addrspace(1) %v3, i64 %v7)
  %v8 = and i64 %v6, 3
  br label %b9
b9:
  %v11 = phi ptr addrspace(1) [ %p0, %run ], [ %p0, %b26 ]
  %v12 = phi ptr addrspace(1) [ %p0, %run ], [ %v11, %b26 ]
  %v13 = phi ptr addrspace(1) [ %v3, %run ], [ %p0, %b26 ]
  %v14 = phi i64 [ 0, %run ], [ %v15, %b26 ]
  %v16 = icmp sge i64 %v14, %v8
  br i1 %v16, label %b10, label %b17
b17:
  %v18 = and i64 %v14, 3
  %v19 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v18, i32 1
  %v20 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v18, i32 0
  store i64 %v14, ptr %v19
  store i64 0, ptr %v20
  call void @collect() [ "gc-live"(ptr addrspace(1) %v3, ptr addrspace(1) %p0) ]
  %v21 = getelementptr %node, ptr addrspace(1) %v11, i64 0, i32 1, i64 5
  store i64 %p1, ptr addrspace(1) %v21
  %v22 = add i64 0, %v6
  %v24 = and i64 %v6, 7
  %v23 = call i64 @stir(ptr addrspace(1) %v11, i64 %v24)
  %v28 = trunc i64 %p1 to i32
  %v27 = sitofp i32 %v28 to double
  br label %b25
b25:
  %v29 = phi ptr addrspace(1) [ %p0, %b17 ], [ %p0, %b34 ]
  %v30 = phi double [ %v27, %b17 ], [ %v27, %b34 ]
  %v31 = load i64, ptr @fuel
  %v32 = sub i64 %v31, 1
  store i64 %v32, ptr @fuel
  %v33 = icmp slt i64 %v31, 1
  %v35 = insertelement <4 x i32> zeroinitializer, i32 %v28, i32 3
  %v36 = add <4 x i32> %v35, <i32 1, i32 2, i32 3, i32 73>
  br i1 %v33, label %b26, label %b34
b34:
  br label %b25
b26:
  %v37 = phi <4 x i32> [ %v36, %b25 ]
  %v38 = phi ptr addrspace(1) [ %v29, %b25 ]
  %v15 = add nsw i64 %v14, 1
  br label %b9
b10:
  %v39 = phi ptr addrspace(1) [ %v11, %b9 ]
  %v40 = icmp ugt i64 %v14, %v14
  %v47 = trunc i64 %p1 to i32
  %v45 = insertelement <4 x i32> zeroinitializer, i32 %v47, i32 2
  %v46 = add <4 x i32> %v45, <i32 1, i32 2, i32 3, i32 98>
  br i1 %v40, label %b42, label %b44
b42:
  %v48 = select i1 true, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v50 = call ptr addrspace(1) asm "", "=r,0"(ptr addrspace(1) %v3)
  %a53 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v3, i32 1
  %v52 = extractelement <2 x ptr addrspace(1)> %a53, i32 1
  %a55 = insertvalue { i32, ptr addrspace(1) } poison, ptr addrspace(1) %v48, 1
  %v54 = extractvalue { i32, ptr addrspace(1) } %a55, 1
  %v56 = call ptr addrspace(1) @f0(ptr addrspace(1) %v48)
  %v57 = and i64 %v14, 3
  %v58 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v57, i32 0
  %v59 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v57, i32 1
  br label %b71
b71:
  %v64 = phi i64 [ 0, %b42 ], [ %v65, %b74 ]
  %v68 = phi i64 [ 0, %b42 ], [ %v67, %b74 ]
  %v60 = load i64, ptr %v58
  %v61 = icmp eq i64 %v60, 1
  br i1 %v61, label %b72, label %b73
b72:
  %v62 = load ptr addrspace(1), ptr %v59
  %v70 = getelementptr i8, ptr addrspace(1) %v62, i64 24
  %v69 = load i64, ptr addrspace(1) %v70
  br label %b74
b73:
  %v63 = load i64, ptr %v59
  br label %b74
b74:
  %v76 = phi i64 [ %v69, %b72 ], [ %v63, %b73 ]
  %v67 = add i64 %v68, %v76
  %v65 = add i64 %v64, 1
  %v66 = icmp uge i64 %v65, 2
  br i1 %v66, label %b75, label %b71
b75:
  %v77 = call ptr addrspace(1) asm "", "=r,0"(ptr addrspace(1) %v39)
  br label %b44
b44:
  %v78 = phi <4 x i32> [ %v46, %b10 ], [ %v46, %b75 ]
  %v79 = and i64 %p1, 3
  switch i64 %v79, label %b80 [ i64 1, label %b81 i64 2, label %b83 ]
b80:
  %v84 = call i64 @native(i64 %v6) [ "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v85 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v13)
  %v86 = call ptr addrspace(1) @kept(i64 3)
  br label %b83
b81:
  %v89 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v11, i32 0
  %v90 = insertelement <2 x ptr addrspace(1)> %v89, ptr addrspace(1) %v11, i32 1
  br label %b87
b87:
  %v91 = phi ptr addrspace(1) [ %p0, %b81 ], [ %v94, %b103 ]
  %v92 = phi i32 [ %v47, %b81 ], [ %v47, %b103 ]
  %v93 = phi <2 x ptr addrspace(1)> [ %v90, %b81 ], [ %v93, %b103 ]
  %v94 = phi ptr addrspace(1) [ %v3, %b81 ], [ %v95, %b103 ]
  %v100 = load i64, ptr @fuel
  %v101 = sub i64 %v100, 1
  store i64 %v101, ptr @fuel
  %v102 = icmp slt i64 %v100, 1
  %v97 = icmp eq ptr addrspace(1) %v94, null
  %v98 = or i1 %v102, %v97
  br i1 %v98, label %b88, label %b103
b103:
  %v104 = call i64 @listed(ptr addrspace(1) %v39, i64 %p1)
  %v99 = select i1 %v97, ptr addrspace(1) %p0, ptr addrspace(1) %v94
  %v96 = getelementptr i8, ptr addrspace(1) %v99, i64 8
  %v95 = load ptr addrspace(1), ptr addrspace(1) %v96
  br label %b87
b88:
  %v105 = phi ptr addrspace(1) [ %v91, %b87 ]
  %v106 = phi <2 x ptr addrspace(1)> [ %v93, %b87 ]
  %v107 = load i64, ptr %sum
  ret i64 %v107
b83:
  %v108 = phi ptr addrspace(1) [ %v39, %b44 ], [ %v86, %b80 ]
  %v109 = phi i64 [ 278, %b44 ], [ %v84, %b80 ]
  %v110 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v11, i32 0
  %v111 = insertelement <2 x ptr addrspace(1)> %v110, ptr addrspace(1) %p0, i32 1
  %v113 = icmp eq <2 x ptr addrspace(1)> %v111, %v111
  %v112 = select <2 x i1> %v113, <2 x ptr addrspace(1)> %v111, <2 x ptr addrspace(1)> %v111
  %v114 = getelementptr %node, ptr addrspace(1) %v3, i64 0, i32 1, i64 0
  %v115 = load i64, ptr addrspace(1) %v114
  %v116 = load i64, ptr %sum
  %v117 = mul i64 %v116, 31
  %v118 = xor i64 %v117, %v115
  store i64 %v118, ptr %sum
  %v119 = extractelement <4 x i32> %v46, i32 0
  %v120 = zext i32 %v119 to i64
  %v121 = load i64, ptr %sum
  %v122 = mul i64 %v121, 31
  %v123 = xor i64 %v122, %v120
  store i64 %v123, ptr %sum
  %v124 = extractelement <4 x i32> %v46, i32 3
  %v125 = zext i32 %v124 to i64
  %v126 = load i64, ptr %sum
  %v127 = mul i64 %v126, 31
  %v128 = xor i64 %v127, %v125
  store i64 %v128, ptr %sum
  %v129 = zext i1 %v40 to i64
  %v130 = load i64, ptr %sum
  %v131 = mul i64 %v130, 31
  %v132 = xor i64 %v131, %v129
  store i64 %v132, ptr %sum
  %v133 = load i64, ptr %sum
  ret i64 %v133
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) gc "statepoint-example" {
entry:
  %sum = alloca i64
  store i64 3, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = call ptr addrspace(1) asm sideeffect "", "=r,0"(ptr addrspace(1) %p0)
  %v4 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %v3, i64 %p1)
  %v5 = extractvalue { i1, ptr addrspace(1) } %v4, 0
  %v6 = extractvalue { i1, ptr addrspace(1) } %v4, 1
  %v8 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v3)
  %v7 = select i1 %v5, ptr addrspace(1) %v6, ptr addrspace(1) %v3
  %v9 = getelementptr %node, ptr addrspace(1) %v7, i64 0, i32 0, i64 1
  %v11 = cmpxchg ptr addrspace(1) %v9, ptr addrspace(1) %p0, ptr addrspace(1) %v7 acq_rel monotonic
  %v10 = extractvalue { ptr addrspace(1), i1 } %v11, 0
  %v12 = extractvalue { ptr addrspace(1), i1 } %v11, 1
  %v14 = and i64 %p1, 15
  %v13 = shl i64 %p1, %v14
  %v15 = mul i64 %v13, %v13
  %v16 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %p0, ptr null, ptr null, i32 0, ptr null)
  %v18 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %p0, ptr null, ptr null, i32 0, ptr null)
  %v20 = freeze ptr addrspace(1) %p0
  %v22 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v18)
  %v24 = call ptr addrspace(1) @make(i64 %v15, ptr addrspace(1) %v10)
  br i1 %v12, label %b26, label %b27
b26:
  %v29 = getelementptr i8, ptr addrspace(1) %v16, i64 24
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v29, ptr addrspace(1) align 8 %v29, i64 8, i1 false) "smd-no-references"
  %v30 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v18, i32 0
  %v31 = insertelement <2 x ptr addrspace(1)> %v30, ptr addrspace(1) %v16, i32 1
  br label %b28
b27:
  %v32 = alloca [4 x i64], align 8
  call void @llvm.memset.p0.i64(ptr %v32, i8 56, i64 32, i1 false)
  store i64 %v13, ptr %v32
  %v33 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v22, i32 0
  %v34 = insertelement <2 x ptr addrspace(1)> %v33, ptr addrspace(1) %v10, i32 1
  br label %b28
b28:
  %v35 = phi <2 x ptr addrspace(1)> [ %v31, %b26 ], [ %v34, %b27 ]
  %v36 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %p0)
  %v38 = and i64 %v13, 7
  %v39 = add i64 %v38, 1
  %v37 = alloca i64, i64 %v39, align 64
  store i64 %v13, ptr %v37
  %v40 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v16)
  %v42 = freeze ptr addrspace(1) %v36
  %a45 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v3, ptr %a45
  %v44 = atomicrmw xchg ptr %a45, ptr addrspace(1) %v3 seq_cst
  %a47 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v10, ptr %a47
  %b47 = cmpxchg ptr %a47, ptr addrspace(1) %v10, ptr addrspace(1) %v10 seq_cst seq_cst
  %v46 = extractvalue { ptr addrspace(1), i1 } %b47, 0
  %v48 = insertelement <2 x ptr addrspace(1)> %v35, ptr addrspace(1) %v7, i32 1
  %v49 = getelementptr %node, ptr addrspace(1) %v40, i64 0, i32 1, i64 0
  %v50 = load i64, ptr addrspace(1) %v49
  %v51 = load i64, ptr %sum
  %v52 = mul i64 %v51, 31
  %v53 = xor i64 %v52, %v50
  store i64 %v53, ptr %sum
  %v54 = getelementptr %node, ptr addrspace(1) %v16, i64 0, i32 1, i64 0
  %v55 = load i64, ptr addrspace(1) %v54
  %v56 = load i64, ptr %sum
  %v57 = mul i64 %v56, 31
  %v58 = xor i64 %v57, %v55
  store i64 %v58, ptr %sum
  %v59 = getelementptr i8, ptr addrspace(1) %v20, i64 24
  %v60 = load i64, ptr addrspace(1) %v59
  %v61 = load i64, ptr %sum
  %v62 = mul i64 %v61, 31
  %v63 = xor i64 %v62, %v60
  store i64 %v63, ptr %sum
  %v64 = load i64, ptr %sum
  ret i64 %v64
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %sum = alloca i64
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %v1 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v0, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 5, ptr @fuel
  %v2 = call ptr addrspace(1) @f0(ptr addrspace(1) %v0)
  %v3 = icmp eq ptr addrspace(1) %v2, null
  %v4 = select i1 %v3, ptr addrspace(1) %v0, ptr addrspace(1) %v2
  %v5 = getelementptr i8, ptr addrspace(1) %v4, i64 24
  %v6 = load i64, ptr addrspace(1) %v5
  %v7 = load i64, ptr %sum
  %v8 = mul i64 %v7, 31
  %v9 = xor i64 %v8, %v6
  store i64 %v9, ptr %sum
  %v10 = icmp ult i64 0, %n
  %v11 = select i1 %v10, ptr addrspace(1) %v2, ptr addrspace(1) %v0
  %v12 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %first, i32 0
  %v13 = insertelement <2 x ptr addrspace(1)> %v12, ptr addrspace(1) %v0, i32 1
  %v14 = shufflevector <2 x ptr addrspace(1)> %v13, <2 x ptr addrspace(1)> %v13, <2 x i32> <i32 1, i32 3>
  %v16 = zext i1 %v10 to i64
  %v17 = load i64, ptr %sum
  %v18 = mul i64 %v17, 31
  %v19 = xor i64 %v18, %v16
  store i64 %v19, ptr %sum
  %v20 = icmp eq ptr addrspace(1) %v11, null
  %v21 = select i1 %v20, ptr addrspace(1) %v4, ptr addrspace(1) %v11
  %v22 = getelementptr i8, ptr addrspace(1) %v21, i64 24
  %v23 = load i64, ptr addrspace(1) %v22
  %v24 = load i64, ptr %sum
  %v25 = mul i64 %v24, 31
  %v26 = xor i64 %v25, %v23
  store i64 %v26, ptr %sum
  %v27 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v28 = load i64, ptr addrspace(1) %v27
  %v29 = load i64, ptr %sum
  %v30 = mul i64 %v29, 31
  %v31 = xor i64 %v30, %v28
  store i64 %v31, ptr %sum
  store i64 26, ptr @fuel
  %v34 = trunc i64 %n to i32
  %v32 = insertelement <4 x i32> zeroinitializer, i32 %v34, i32 0
  %v33 = add <4 x i32> %v32, <i32 1, i32 2, i32 3, i32 88>
  %v35 = call <2 x ptr addrspace(1)> @f1(ptr addrspace(1) %v21, <4 x i32> %v33)
  %v36 = extractelement <2 x ptr addrspace(1)> %v35, i32 0
  %v37 = icmp eq ptr addrspace(1) %v36, null
  %v38 = select i1 %v37, ptr addrspace(1) %v0, ptr addrspace(1) %v36
  %v39 = getelementptr i8, ptr addrspace(1) %v38, i64 24
  %v40 = load i64, ptr addrspace(1) %v39
  %v41 = load i64, ptr %sum
  %v42 = mul i64 %v41, 31
  %v43 = xor i64 %v42, %v40
  store i64 %v43, ptr %sum
  %v44 = extractelement <2 x ptr addrspace(1)> %v35, i32 1
  %v45 = icmp eq ptr addrspace(1) %v44, null
  %v46 = select i1 %v45, ptr addrspace(1) %v38, ptr addrspace(1) %v44
  %v47 = getelementptr %node, ptr addrspace(1) %v46, i64 0, i32 1, i64 0
  %v48 = load i64, ptr addrspace(1) %v47
  %v49 = load i64, ptr %sum
  %v50 = mul i64 %v49, 31
  %v51 = xor i64 %v50, %v48
  store i64 %v51, ptr %sum
  %v52 = extractelement <2 x ptr addrspace(1)> %v35, i32 0
  %v53 = icmp eq ptr addrspace(1) %v52, null
  %v54 = select i1 %v53, ptr addrspace(1) %first, ptr addrspace(1) %v52
  %v55 = getelementptr i8, ptr addrspace(1) %v54, i64 24
  %v56 = load i64, ptr addrspace(1) %v55
  %v57 = load i64, ptr %sum
  %v58 = mul i64 %v57, 31
  %v59 = xor i64 %v58, %v56
  store i64 %v59, ptr %sum
  %v60 = extractelement <2 x ptr addrspace(1)> %v35, i32 1
  %v61 = icmp eq ptr addrspace(1) %v60, null
  %v62 = select i1 %v61, ptr addrspace(1) %first, ptr addrspace(1) %v60
  %v63 = getelementptr %node, ptr addrspace(1) %v62, i64 0, i32 1, i64 0
  %v64 = load i64, ptr addrspace(1) %v63
  %v65 = load i64, ptr %sum
  %v66 = mul i64 %v65, 31
  %v67 = xor i64 %v66, %v64
  store i64 %v67, ptr %sum
  %v68 = zext i1 %v10 to i64
  %v69 = load i64, ptr %sum
  %v70 = mul i64 %v69, 31
  %v71 = xor i64 %v70, %v68
  store i64 %v71, ptr %sum
  %v72 = load i64, ptr %sum
  %v73 = mul i64 %v72, 31
  %v74 = xor i64 %v73, %n
  store i64 %v74, ptr %sum
  store i64 11, ptr @fuel
  %v75 = call i64 @listed(ptr addrspace(1) %v0, i64 %n)
  %v76 = load i64, ptr %sum
  %v77 = mul i64 %v76, 31
  %v78 = xor i64 %v77, %v75
  store i64 %v78, ptr %sum
  %v79 = freeze i64 475
  %v80 = extractelement <2 x ptr addrspace(1)> %v35, i32 0
  %v81 = icmp eq ptr addrspace(1) %v80, null
  %v82 = select i1 %v81, ptr addrspace(1) %v21, ptr addrspace(1) %v80
  %v83 = getelementptr %node, ptr addrspace(1) %v82, i64 0, i32 1, i64 0
  %v84 = load i64, ptr addrspace(1) %v83
  %v85 = load i64, ptr %sum
  %v86 = mul i64 %v85, 31
  %v87 = xor i64 %v86, %v84
  store i64 %v87, ptr %sum
  %v88 = extractelement <2 x ptr addrspace(1)> %v35, i32 1
  %v89 = icmp eq ptr addrspace(1) %v88, null
  %v90 = select i1 %v89, ptr addrspace(1) %v0, ptr addrspace(1) %v88
  %v91 = getelementptr %node, ptr addrspace(1) %v90, i64 0, i32 1, i64 0
  %v92 = load i64, ptr addrspace(1) %v91
  %v93 = load i64, ptr %sum
  %v94 = mul i64 %v93, 31
  %v95 = xor i64 %v94, %v92
  store i64 %v95, ptr %sum
  %v96 = load i64, ptr %sum
  %v97 = mul i64 %v96, 31
  %v98 = xor i64 %v97, %v79
  store i64 %v98, ptr %sum
  %v99 = getelementptr %node, ptr addrspace(1) %v90, i64 0, i32 1, i64 0
  %v100 = load i64, ptr addrspace(1) %v99
  %v101 = load i64, ptr %sum
  %v102 = mul i64 %v101, 31
  %v103 = xor i64 %v102, %v100
  store i64 %v103, ptr %sum
  store i64 6, ptr @fuel
  %v104 = call i64 @reentered(ptr addrspace(1) %v0, i64 %n)
  %v105 = load i64, ptr %sum
  %v106 = mul i64 %v105, 31
  %v107 = xor i64 %v106, %v104
  store i64 %v107, ptr %sum
  %v108 = extractelement <2 x ptr addrspace(1)> %v35, i32 0
  %v109 = icmp eq ptr addrspace(1) %v108, null
  %v110 = select i1 %v109, ptr addrspace(1) %v82, ptr addrspace(1) %v108
  %v111 = getelementptr %node, ptr addrspace(1) %v110, i64 0, i32 1, i64 0
  %v112 = load i64, ptr addrspace(1) %v111
  %v113 = load i64, ptr %sum
  %v114 = mul i64 %v113, 31
  %v115 = xor i64 %v114, %v112
  store i64 %v115, ptr %sum
  %v116 = extractelement <2 x ptr addrspace(1)> %v35, i32 1
  %v117 = icmp eq ptr addrspace(1) %v116, null
  %v118 = select i1 %v117, ptr addrspace(1) %v21, ptr addrspace(1) %v116
  %v119 = getelementptr i8, ptr addrspace(1) %v118, i64 24
  %v120 = load i64, ptr addrspace(1) %v119
  %v121 = load i64, ptr %sum
  %v122 = mul i64 %v121, 31
  %v123 = xor i64 %v122, %v120
  store i64 %v123, ptr %sum
  %v124 = getelementptr i8, ptr addrspace(1) %v90, i64 24
  %v125 = load i64, ptr addrspace(1) %v124
  %v126 = load i64, ptr %sum
  %v127 = mul i64 %v126, 31
  %v128 = xor i64 %v127, %v125
  store i64 %v128, ptr %sum
  %v129 = getelementptr %node, ptr addrspace(1) %v21, i64 0, i32 1, i64 0
  %v130 = load i64, ptr addrspace(1) %v129
  %v131 = load i64, ptr %sum
  %v132 = mul i64 %v131, 31
  %v133 = xor i64 %v132, %v130
  store i64 %v133, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v38)
  call void @keep(i64 1, ptr addrspace(1) %v38)
  %v134 = load i64, ptr %sum
  ret i64 %v134
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
