; random: target=aarch64-unknown-linux-gnu opt=3 poll=tls:poll_thread:8 safepoints=return gc_registers=4 frame_pointer=none code_model=large all_backedges=true counted_loop_bits=64
; compile: codegen_failed: gc_registers is taken as 0: the module has GC transitions, and a reference in a register could not be found while native code runs
; seed 70015
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
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)
@has_barriers = constant i8 1
declare void @llvm.gcroot(ptr, ptr)
@thread_state = external global i32
declare i64 @native(i64)
declare void @calm() nounwind "gc-leaf-function"
@table = internal constant [2 x ptr] [ptr @reentered, ptr @listed]

define internal ptr addrspace(1) @make(i64 %word, ptr addrspace(1) %next) alwaysinline gc "coreclr" {
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

define internal i64 @climb(ptr addrspace(1) %o, i64 %n) noinline "smd-safepoints"="none" gc "coreclr" {
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

define internal i64 @stir(ptr addrspace(1) %o, i64 %n) noinline "smd-safepoints"="none" gc "coreclr" {
  call void @collect()
  %v = call i64 @peek(ptr addrspace(1) %o, i64 %n)
  ret i64 %v
}

define internal i64 @sift(ptr addrspace(1) %o, i64 %n) noinline "smd-safepoints"="none" gc "coreclr" {
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

define internal i64 @shake(ptr addrspace(1) %o, i64 %n) noinline "smd-safepoints"="none" gc "coreclr" {
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

define internal i64 @over(ptr addrspace(1) %o, i64 %n) noinline "smd-safepoints"="entry" gc "coreclr" {
  %v = call i64 @peek(ptr addrspace(1) %o, i64 %n)
  ret i64 %v
}

define internal { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %object, i64 %n) noinline gc "coreclr" {
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

define internal ptr addrspace(1) @swap(ptr %slot, ptr addrspace(1) %v) noinline gc "coreclr" {
  call void @collect()
  %old = load ptr addrspace(1), ptr %slot
  call void @collect()
  store ptr addrspace(1) %v, ptr %slot
  ret ptr addrspace(1) %old
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

define internal fastcc ptr addrspace(1) @f0(ptr addrspace(1) noundef nonnull align 8 %p0, ptr addrspace(1) %p1, i64 %p2, ptr addrspace(1) %p3, <2 x ptr addrspace(1)> %p4) nounwind gc "coreclr" {
entry:
  %sum = alloca i64
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  store i64 0, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret ptr addrspace(1) null
run:
  %v3 = icmp eq ptr addrspace(1) %p3, null
  %v4 = select i1 %v3, ptr addrspace(1) %p0, ptr addrspace(1) %p3
  %v6 = getelementptr inbounds %node, ptr addrspace(1) %v4, i64 0, i32 1, i64 6
  %v5 = load i64, ptr addrspace(1) %v6, !tbaa !4
  %v7 = load i64, ptr %sum
  %v8 = mul i64 %v7, 31
  %v9 = xor i64 %v8, %v5
  store i64 %v9, ptr %sum
  %v10 = load i64, ptr %sum
  %v11 = mul i64 %v10, 31
  %v12 = xor i64 %v11, %v5
  store i64 %v12, ptr %sum
  %v14 = and i64 %p2, 7
  %v15 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 24
  %v13 = call i64 @climb(ptr addrspace(1) %v4, i64 %v14) [ "deopt"(i32 20773, i32 60165, ptr addrspace(1) %v15, ptr addrspace(1) %p3, ptr addrspace(1) %p0, ptr addrspace(1) %v15, i64 %v5) ]
  %v16 = mul i64 %v13, %v5
  %v17 = tail call ptr addrspace(1) @allocate(i64 88, i64 3)
  %v18 = getelementptr inbounds %node, ptr addrspace(1) %v17, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v4, ptr addrspace(1) %v17
  store i64 85, ptr addrspace(1) %v18
  %v19 = call i64 @native(i64 %v5) [ "gc-transition"(ptr @thread_state) ]
  call void @calm()
  store i64 9223372036854775807, ptr addrspace(1) %v15
  %v20 = getelementptr inbounds %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v21 = load i64, ptr addrspace(1) %v20
  %v22 = load i64, ptr %sum
  %v23 = mul i64 %v22, 31
  %v24 = xor i64 %v23, %v21
  store i64 %v24, ptr %sum
  %v25 = icmp eq ptr addrspace(1) null, null
  %v26 = select i1 %v25, ptr addrspace(1) %v17, ptr addrspace(1) null
  %v27 = getelementptr %node, ptr addrspace(1) %v26, i64 0, i32 1, i64 1
  store i64 %v5, ptr addrspace(1) %v27, !tbaa !4
  %v29 = extractelement <2 x ptr addrspace(1)> %p4, i32 0
  %v30 = load i64, ptr %sum
  %v31 = mul i64 %v30, 31
  %v32 = xor i64 %v31, %v5
  store i64 %v32, ptr %sum
  %v33 = getelementptr inbounds %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v34 = load i64, ptr addrspace(1) %v33
  %v35 = load i64, ptr %sum
  %v36 = mul i64 %v35, 31
  %v37 = xor i64 %v36, %v34
  store i64 %v37, ptr %sum
  %v38 = icmp eq ptr addrspace(1) %p3, null
  %v39 = select i1 %v38, ptr addrspace(1) %v4, ptr addrspace(1) %p3
  %v40 = getelementptr %node, ptr addrspace(1) %v39, i64 0, i32 1, i64 0
  %v41 = load i64, ptr addrspace(1) %v40
  %v42 = load i64, ptr %sum
  %v43 = mul i64 %v42, 31
  %v44 = xor i64 %v43, %v41
  store i64 %v44, ptr %sum
  %v45 = load i64, ptr %sum
  call void @note(i64 %v45)
  ret ptr addrspace(1) %v17
}

define i64 @listed(ptr addrspace(1) dereferenceable(88) %p0, i64 %p1) noinline optnone "frame-pointer"="all" cold gc "coreclr" {
entry:
  %sum = alloca i64
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  store i64 1, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = getelementptr i8, ptr addrspace(1) %p0, i64 8
  %v4 = load <2 x ptr addrspace(1)>, ptr addrspace(1) %v3, align 8
  %v5 = getelementptr i8, ptr addrspace(1) %p0, <2 x i64> <i64 24, i64 40>
  %v7 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 56
  %v6 = load i64, ptr addrspace(1) %v7, !tbaa !4
  %v8 = icmp eq i64 665, %p1
  br i1 %v8, label %b10, label %b11, !prof !2
b10:
  %v13 = call <2 x i64> @llvm.masked.gather.v2i64.v2p1(<2 x ptr addrspace(1)> %v5, i32 8, <2 x i1> <i1 true, i1 true>, <2 x i64> zeroinitializer)
  %v14 = extractelement <2 x i64> %v13, i32 1
  %v15 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 24
  %v16 = tail call i64 @reentered(ptr addrspace(1) %p0, i64 %p1) [ "deopt"(i32 20773, i32 36613, ptr addrspace(1) %v15, ptr addrspace(1) %v15, i64 %p1, ptr addrspace(1) %p0, i64 %p1) ]
  %v17 = getelementptr i8, ptr addrspace(1) %v15, i64 32
  %v18 = getelementptr i8, ptr addrspace(1) %p0, i64 16
  br label %b12
b11:
  %v19 = xor i64 %p1, %v6
  %v20 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %p0, i32 0
  %v21 = insertelement <2 x ptr addrspace(1)> %v20, ptr addrspace(1) %p0, i32 1
  %v23 = icmp eq <2 x ptr addrspace(1)> %v4, %v21
  %v22 = select <2 x i1> %v23, <2 x ptr addrspace(1)> %v21, <2 x ptr addrspace(1)> %v4
  %v24 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %p0)
  %v25 = getelementptr i8, ptr addrspace(1) %v24, i64 8
  %v26 = getelementptr %node, ptr addrspace(1) %v24, i64 0, i32 1, i64 0
  br label %b12
b12:
  %v27 = phi ptr addrspace(1) [ %p0, %b10 ], [ %v24, %b11 ]
  %v28 = phi ptr addrspace(1) [ %v18, %b10 ], [ %v25, %b11 ]
  %v29 = phi ptr addrspace(1) [ %v15, %b10 ], [ %v26, %b11 ]
  br i1 %v8, label %b31, label %b32
b31:
  %v34 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %v27, i64 %p1)
  %v35 = extractvalue { i1, ptr addrspace(1) } %v34, 0
  %v36 = extractvalue { i1, ptr addrspace(1) } %v34, 1
  call void @collect()
  %v37 = select i1 %v35, ptr addrspace(1) %v36, ptr addrspace(1) %v27
  %v38 = call ptr @smd.gc.pin(ptr addrspace(1) %v27)
  call void @collect()
  %v39 = getelementptr i8, ptr %v38, i64 24
  %v40 = load i64, ptr %v39
  call void @collect()
  store i64 %p1, ptr %v39
  call void @smd.gc.unpin(ptr %v38)
  %v41 = call ptr addrspace(1) @kept(i64 1)
  %v43 = and i64 %p1, 3
  %v42 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v43
  store ptr addrspace(1) %v41, ptr %v42
  %v45 = call ptr addrspace(1) @make(i64 %v40, ptr addrspace(1) %v37)
  call void @collect()
  %v44 = load ptr addrspace(1), ptr %v42
  %v46 = load i64, ptr addrspace(1) %v29
  br label %b33
b32:
  %v47 = alloca ptr addrspace(1)
  store ptr addrspace(1) %p0, ptr %v47
  br label %b33
b33:
  %v49 = phi ptr addrspace(1) [ %v27, %b31 ], [ %p0, %b32 ]
  %v50 = getelementptr i8, ptr addrspace(1) %v27, i64 8
  %v51 = load <2 x ptr addrspace(1)>, ptr addrspace(1) %v50, align 8
  %v53 = and i64 %p1, 3
  %v52 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v53
  %v54 = load ptr addrspace(1), ptr %v52
  store ptr addrspace(1) %v27, ptr %v52
  %v56 = getelementptr %node, ptr addrspace(1) %v27, i64 0, i32 0, i64 1
  %v55 = load ptr addrspace(1), ptr addrspace(1) %v56
  %v59 = icmp eq ptr addrspace(1) %v27, null
  %v60 = select i1 %v59, ptr addrspace(1) %v27, ptr addrspace(1) %v27
  %v62 = getelementptr inbounds i8, ptr addrspace(1) %v60, i64 24
  %v61 = load i64, ptr addrspace(1) %v62
  %v58 = select i1 %v59, i64 1, i64 %v61
  %v63 = mul i64 0, 31
  %v64 = add i64 %v63, %v58
  %v66 = icmp eq ptr addrspace(1) %v49, null
  %v67 = select i1 %v66, ptr addrspace(1) %v27, ptr addrspace(1) %v49
  %v69 = getelementptr i8, ptr addrspace(1) %v67, i64 24
  %v68 = load i64, ptr addrspace(1) %v69
  %v65 = select i1 %v66, i64 1, i64 %v68
  %v70 = mul i64 %v64, 31
  %v71 = add i64 %v70, %v65
  %v73 = icmp eq ptr addrspace(1) %v54, null
  %v74 = select i1 %v73, ptr addrspace(1) %v49, ptr addrspace(1) %v54
  %v76 = getelementptr inbounds %node, ptr addrspace(1) %v74, i64 0, i32 1, i64 0
  %v75 = load i64, ptr addrspace(1) %v76
  %v72 = select i1 %v73, i64 1, i64 %v75
  %v77 = mul i64 %v71, 31
  %v78 = add i64 %v77, %v72
  %v79 = load i64, ptr addrspace(1) %v29
  %v80 = mul i64 %v78, 31
  %v81 = add i64 %v80, %v79
  %v57 = call i64 @observe(i64 %v81) [ "deopt"(i32 20773, i32 59908, ptr addrspace(1) %v27, ptr addrspace(1) %v49, ptr addrspace(1) %v54, ptr addrspace(1) %v29) ]
  %v82 = extractelement <2 x ptr addrspace(1)> %v51, i32 0
  %v83 = icmp eq ptr addrspace(1) %v82, null
  %v84 = select i1 %v83, ptr addrspace(1) %v27, ptr addrspace(1) %v82
  %v85 = getelementptr %node, ptr addrspace(1) %v84, i64 0, i32 1, i64 0
  %v86 = load i64, ptr addrspace(1) %v85
  %v87 = load i64, ptr %sum
  %v88 = mul i64 %v87, 31
  %v89 = xor i64 %v88, %v86
  store i64 %v89, ptr %sum
  %v90 = extractelement <2 x ptr addrspace(1)> %v51, i32 1
  %v91 = icmp eq ptr addrspace(1) %v90, null
  %v92 = select i1 %v91, ptr addrspace(1) %v49, ptr addrspace(1) %v90
  %v93 = getelementptr %node, ptr addrspace(1) %v92, i64 0, i32 1, i64 0
  %v94 = load i64, ptr addrspace(1) %v93
  %v95 = load i64, ptr %sum
  %v96 = mul i64 %v95, 31
  %v97 = xor i64 %v96, %v94
  store i64 %v97, ptr %sum
  call void @collect()
  %v98 = icmp eq ptr addrspace(1) %v55, null
  %v99 = select i1 %v98, ptr addrspace(1) %v84, ptr addrspace(1) %v55
  %v100 = and i64 %p1, 3
  %v101 = add i64 %v100, 0
  %v102 = getelementptr %node, ptr addrspace(1) %v99, i64 0, i32 1, i64 %v101
  %v103 = load i64, ptr addrspace(1) %v102
  %v104 = load i64, ptr %sum
  %v105 = mul i64 %v104, 31
  %v106 = xor i64 %v105, %v103
  store i64 %v106, ptr %sum
  %v107 = icmp eq ptr addrspace(1) %v55, null
  %v108 = select i1 %v107, ptr addrspace(1) %v49, ptr addrspace(1) %v55
  %v109 = getelementptr inbounds i8, ptr addrspace(1) %v108, i64 24
  %v110 = load i64, ptr addrspace(1) %v109
  %v111 = load i64, ptr %sum
  %v112 = mul i64 %v111, 31
  %v113 = xor i64 %v112, %v110
  store i64 %v113, ptr %sum
  %v114 = getelementptr i8, ptr addrspace(1) %v84, i64 24
  %v115 = load i64, ptr addrspace(1) %v114
  %v116 = load i64, ptr %sum
  %v117 = mul i64 %v116, 31
  %v118 = xor i64 %v117, %v115
  store i64 %v118, ptr %sum
  %v119 = load i64, ptr %sum
  ret i64 %v119
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) noinline "frame-pointer"="all" gc "coreclr" {
entry:
  %sum = alloca i64
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  store i64 2, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = load i64, ptr %sum
  %v4 = mul i64 %v3, 31
  %v5 = xor i64 %v4, %p1
  store i64 %v5, ptr %sum
  %v7 = and i64 %p1, 7
  %v6 = call i64 @climb(ptr addrspace(1) %p0, i64 %v7)
  %v8 = icmp ne i64 %v6, %p1
  br i1 %v8, label %b10, label %b12, !prof !2
b10:
  %v13 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 24
  %v14 = load i64, ptr addrspace(1) %v13
  %v15 = getelementptr inbounds %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v16 = load i64, ptr addrspace(1) %v15
  %v17 = load i64, ptr %sum
  %v18 = mul i64 %v17, 31
  %v19 = xor i64 %v18, %v16
  store i64 %v19, ptr %sum
  %v20 = call ptr @smd.gc.pin(ptr addrspace(1) %p0)
  call void @collect()
  call void @collect()
  %v21 = getelementptr i8, ptr %v20, i64 24
  %v22 = load i64, ptr %v21
  store i64 758, ptr %v21
  call void @smd.gc.unpin(ptr %v20)
  br i1 %v8, label %b24, label %b25, !prof !2
b24:
  %v27 = icmp ne ptr addrspace(1) %p0, %p0
  %v32 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %p0, i32 0
  %v33 = insertelement <2 x ptr addrspace(1)> %v32, ptr addrspace(1) %p0, i32 1
  br i1 %v27, label %b29, label %b31
b29:
  store i64 %v22, ptr addrspace(1) %v13
  call void @keep(i64 0, ptr addrspace(1) %p0)
  %v34 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v35 = load i64, ptr addrspace(1) %v34
  %v36 = load i64, ptr %sum
  %v37 = mul i64 %v36, 31
  %v38 = xor i64 %v37, %v35
  store i64 %v38, ptr %sum
  br label %b31
b31:
  %v39 = phi <2 x ptr addrspace(1)> [ %v33, %b24 ], [ %v33, %b29 ]
  %v40 = phi ptr addrspace(1) [ %v13, %b24 ], [ %v13, %b29 ]
  %v41 = phi ptr addrspace(1) [ %p0, %b24 ], [ %p0, %b29 ]
  br label %b26
b25:
  %v42 = zext i1 %v8 to i64
  %v43 = load i64, ptr %sum
  %v44 = mul i64 %v43, 31
  %v45 = xor i64 %v44, %v42
  store i64 %v45, ptr %sum
  %v48 = icmp eq ptr addrspace(1) %p0, null
  %v49 = select i1 %v48, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v51 = getelementptr inbounds i8, ptr addrspace(1) %v49, i64 24
  %v50 = load i64, ptr addrspace(1) %v51
  %v47 = select i1 %v48, i64 1, i64 %v50
  %v52 = mul i64 0, 31
  %v53 = add i64 %v52, %v47
  %v46 = call i64 @observe(i64 %v53) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %p0) ]
  br label %b26
b26:
  %v54 = phi ptr addrspace(1) [ %v40, %b31 ], [ %v13, %b25 ]
  %v55 = phi ptr addrspace(1) [ %p0, %b31 ], [ %p0, %b25 ]
  %v56 = getelementptr %node, ptr addrspace(1) %v55, i64 0, i32 0, i64 1
  store ptr addrspace(1) %p0, ptr addrspace(1) %v56
  call void @keep(i64 2, ptr addrspace(1) %p0)
  br label %b12
b12:
  %v57 = phi ptr addrspace(1) [ %p0, %run ], [ %p0, %b26 ]
  %v58 = phi ptr addrspace(1) [ %p0, %run ], [ %p0, %b26 ]
  br i1 %v8, label %b60, label %b61, !prof !2
b60:
  %v63 = alloca ptr addrspace(1)
  store ptr addrspace(1) %p0, ptr %v63
  %v65 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 2050, i64 %v6, ptr addrspace(1) %v58) ]
  call void @note(i64 %v6)
  %v66 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v57, i32 0
  %v67 = insertelement <2 x ptr addrspace(1)> %v66, ptr addrspace(1) %v65, i32 1
  %v68 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  br label %b62
b61:
  %v69 = icmp eq i64 %p1, 885
  br i1 %v69, label %b71, label %b72
b71:
  %v75 = and i64 %p1, 7
  %v74 = call i64 @stir(ptr addrspace(1) %v58, i64 %v75)
  %v77 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v57, i32 0
  %v78 = insertelement <2 x ptr addrspace(1)> %v77, ptr addrspace(1) %p0, i32 1
  %v76 = getelementptr i8, <2 x ptr addrspace(1)> %v78, <2 x i64> <i64 72, i64 56>
  br label %b73
b72:
  %v80 = load ptr addrspace(1), ptr addrspace(1) %v58
  %v83 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v57, i32 0
  %v84 = insertelement <2 x ptr addrspace(1)> %v83, ptr addrspace(1) %v57, i32 1
  %v82 = getelementptr i8, <2 x ptr addrspace(1)> %v84, <2 x i64> <i64 48, i64 64>
  br label %b73
b73:
  %v85 = phi <2 x ptr addrspace(1)> [ %v76, %b71 ], [ %v82, %b72 ]
  %v86 = call ptr addrspace(1) @rooted(ptr addrspace(1) %v57, i64 %p1)
  %v87 = call i64 @native(i64 %p1) [ "deopt"(i32 20773, i32 10243, i64 %p1, ptr addrspace(1) %p0, ptr addrspace(1) %v57), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v88 = getelementptr inbounds %node, ptr addrspace(1) %v58, i64 0, i32 1, i64 0
  %v89 = getelementptr i8, ptr addrspace(1) %v88, i64 24
  %v90 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v57, i32 0
  %v91 = insertelement <2 x ptr addrspace(1)> %v90, ptr addrspace(1) %p0, i32 1
  br label %b62
b62:
  %v92 = phi ptr addrspace(1) [ %v58, %b60 ], [ %p0, %b73 ]
  %v93 = phi <2 x ptr addrspace(1)> [ %v67, %b60 ], [ %v91, %b73 ]
  %v94 = phi ptr addrspace(1) [ %v68, %b60 ], [ %v88, %b73 ]
  %v95 = xor i64 %p1, %p1
  call void @collect() [ "deopt"(i32 20773, i32 197125, ptr addrspace(1) %p0, i64 547, i64 9223372036854775807, i64 %v95, ptr addrspace(1) %v94) ]
  %v96 = insertelement <2 x ptr addrspace(1)> %v93, ptr addrspace(1) %v57, i32 0
  %v97 = getelementptr i8, ptr addrspace(1) %v94, i64 24
  call void @note(i64 %v95)
  %v98 = getelementptr i8, ptr addrspace(1) %v58, i64 24
  %v99 = load i64, ptr addrspace(1) %v98
  %v100 = load i64, ptr %sum
  %v101 = mul i64 %v100, 31
  %v102 = xor i64 %v101, %v99
  store i64 %v102, ptr %sum
  %v103 = getelementptr inbounds i8, ptr addrspace(1) %v92, i64 24
  %v104 = load i64, ptr addrspace(1) %v103
  %v105 = load i64, ptr %sum
  %v106 = mul i64 %v105, 31
  %v107 = xor i64 %v106, %v104
  store i64 %v107, ptr %sum
  %v108 = load i64, ptr addrspace(1) %v97
  %v109 = load i64, ptr %sum
  %v110 = mul i64 %v109, 31
  %v111 = xor i64 %v110, %v108
  store i64 %v111, ptr %sum
  %v112 = load i64, ptr %sum
  ret i64 %v112
}

define i64 @program(i64 %n) gc "coreclr" {
entry:
  %sum = alloca i64
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 96, i64 3)
  %v1 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v0, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 6, ptr @fuel
  %v2 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v0, i32 0
  %v3 = insertelement <2 x ptr addrspace(1)> %v2, ptr addrspace(1) %v0, i32 1
  %v4 = call fastcc ptr addrspace(1) @f0(ptr addrspace(1) %first, ptr addrspace(1) %v0, i64 %n, ptr addrspace(1) %first, <2 x ptr addrspace(1)> %v3)
  %v5 = icmp eq ptr addrspace(1) %v4, null
  %v6 = select i1 %v5, ptr addrspace(1) %first, ptr addrspace(1) %v4
  %v7 = getelementptr inbounds i8, ptr addrspace(1) %v6, i64 24
  %v8 = load i64, ptr addrspace(1) %v7
  %v9 = load i64, ptr %sum
  %v10 = mul i64 %v9, 31
  %v11 = xor i64 %v10, %v8
  store i64 %v11, ptr %sum
  %v12 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v13 = load i64, ptr addrspace(1) %v12
  %v14 = load i64, ptr %sum
  %v15 = mul i64 %v14, 31
  %v16 = xor i64 %v15, %v13
  store i64 %v16, ptr %sum
  %v17 = extractelement <2 x ptr addrspace(1)> %v3, i32 0
  %v18 = getelementptr %node, ptr addrspace(1) %v17, i64 0, i32 1, i64 0
  %v19 = load i64, ptr addrspace(1) %v18
  %v20 = load i64, ptr %sum
  %v21 = mul i64 %v20, 31
  %v22 = xor i64 %v21, %v19
  store i64 %v22, ptr %sum
  %v23 = extractelement <2 x ptr addrspace(1)> %v3, i32 1
  %v24 = getelementptr i8, ptr addrspace(1) %v23, i64 24
  %v25 = load i64, ptr addrspace(1) %v24
  %v26 = load i64, ptr %sum
  %v27 = mul i64 %v26, 31
  %v28 = xor i64 %v27, %v25
  store i64 %v28, ptr %sum
  %v29 = load i64, ptr %sum
  %v30 = mul i64 %v29, 31
  %v31 = xor i64 %v30, %n
  store i64 %v31, ptr %sum
  store i64 23, ptr @fuel
  %v32 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  %v33 = call i64 @listed(ptr addrspace(1) %v6, i64 %n) [ "deopt"(i32 20773, i32 770, ptr addrspace(1) %v32, i64 %n) ]
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %v33
  store i64 %v36, ptr %sum
  %v37 = load i64, ptr addrspace(1) %v32
  %v38 = load i64, ptr %sum
  %v39 = mul i64 %v38, 31
  %v40 = xor i64 %v39, %v37
  store i64 %v40, ptr %sum
  %v41 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  %v42 = load i64, ptr addrspace(1) %v41
  %v43 = load i64, ptr %sum
  %v44 = mul i64 %v43, 31
  %v45 = xor i64 %v44, %v42
  store i64 %v45, ptr %sum
  %v46 = load i64, ptr %sum
  %v47 = mul i64 %v46, 31
  %v48 = xor i64 %v47, %n
  store i64 %v48, ptr %sum
  store i64 5, ptr @fuel
  %v49 = call i64 @reentered(ptr addrspace(1) %v0, i64 21845) [ "deopt"(i32 20773, i32 8963, ptr addrspace(1) %v32, i64 %v33, ptr addrspace(1) %v0) ]
  %v50 = load i64, ptr %sum
  %v51 = mul i64 %v50, 31
  %v52 = xor i64 %v51, %v49
  store i64 %v52, ptr %sum
  %v53 = notail call i64 @listed(ptr addrspace(1) %first, i64 %v33) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %first) ]
  %v55 = alloca { i64, ptr addrspace(1) }
  %v54 = getelementptr { i64, ptr addrspace(1) }, ptr %v55, i64 0, i32 1
  store ptr addrspace(1) %v6, ptr %v54
  %v56 = getelementptr inbounds %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v57 = load i64, ptr addrspace(1) %v56
  %v58 = load i64, ptr %sum
  %v59 = mul i64 %v58, 31
  %v60 = xor i64 %v59, %v57
  store i64 %v60, ptr %sum
  %v61 = extractelement <2 x ptr addrspace(1)> %v3, i32 0
  %v62 = getelementptr inbounds i8, ptr addrspace(1) %v61, i64 24
  %v63 = load i64, ptr addrspace(1) %v62
  %v64 = load i64, ptr %sum
  %v65 = mul i64 %v64, 31
  %v66 = xor i64 %v65, %v63
  store i64 %v66, ptr %sum
  %v67 = extractelement <2 x ptr addrspace(1)> %v3, i32 1
  %v68 = getelementptr %node, ptr addrspace(1) %v67, i64 0, i32 1, i64 0
  %v69 = load i64, ptr addrspace(1) %v68
  %v70 = load i64, ptr %sum
  %v71 = mul i64 %v70, 31
  %v72 = xor i64 %v71, %v69
  store i64 %v72, ptr %sum
  %v73 = getelementptr inbounds %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v74 = load i64, ptr addrspace(1) %v73
  %v75 = load i64, ptr %sum
  %v76 = mul i64 %v75, 31
  %v77 = xor i64 %v76, %v74
  store i64 %v77, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v0)
  call void @keep(i64 1, ptr addrspace(1) %v4)
  %v78 = load i64, ptr %sum
  ret i64 %v78
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
