; random: target=aarch64-unknown-linux-gnu opt=1 poll=tls:poll_thread:8 safepoints=none frame_pointer=all code_model=large all_backedges=true
; compile: codegen_failed: LLVM ERROR: ELF TLS only supported in small memory model or in local exec TLS model (in the stage 'emit')
; seed 70053
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
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@united = external global [4 x { i64, i64 }]
@code = global [3 x ptr] [ptr @f0, ptr @listed, ptr @reentered], align 16
@table = internal constant [2 x ptr] [ptr @reentered, ptr @listed]

define internal ptr addrspace(1) @make(i64 %word, ptr addrspace(1) %next) alwaysinline gc "statepoint-example" {
  %object = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %object, ptr addrspace(1) %object
  %field = getelementptr i8, ptr addrspace(1) %object, i64 8
  store ptr addrspace(1) %next, ptr addrspace(1) %field
  %at = getelementptr i8, ptr addrspace(1) %object, i64 24
  store i64 %word, ptr addrspace(1) %at
  ret ptr addrspace(1) %object
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

define internal ptr addrspace(1) @inlined(ptr addrspace(1) %o, i64 %n) inlinehint gc "statepoint-example" {
  %slot = getelementptr i8, ptr addrspace(1) %o, i64 16
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %o, ptr addrspace(1) %slot)
  call void @collect() [ "gc-type"(ptr addrspace(1) %o, i64 3) ]
  %r = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %slot)
  %next = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %r)
  %first = getelementptr i8, ptr addrspace(1) %next, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %next, ptr addrspace(1) %first)
  ret ptr addrspace(1) %next
}

define internal ptr addrspace(1) @turns(ptr addrspace(1) %o, i64 %n) inlinehint gc "statepoint-example" {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %j, %turn ]
  %at = phi ptr addrspace(1) [ %o, %entry ], [ %to, %turn ]
  %to = call ptr addrspace(1) @inlined(ptr addrspace(1) %at, i64 %i)
  %j = add i64 %i, 1
  %over = icmp eq i64 %j, 4
  br i1 %over, label %end, label %turn
end:
  ret ptr addrspace(1) %to
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

define internal ptr addrspace(1) @swap(ptr %slot, ptr addrspace(1) %v) noinline gc "statepoint-example" {
  call void @collect()
  %old = load ptr addrspace(1), ptr %slot
  call void @collect()
  store ptr addrspace(1) %v, ptr %slot
  ret ptr addrspace(1) %old
}

define internal { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %env, ptr %code) noinline gc "statepoint-example" {
  %a = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %env, 0
  %b = insertvalue { ptr addrspace(1), ptr } %a, ptr %code, 1
  call void @collect()
  ret { ptr addrspace(1), ptr } %b
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

define internal fastcc <2 x ptr addrspace(1)> @f0(ptr addrspace(1) nonnull %p0) nounwind "frame-pointer"="all" "smd-safepoints"="entry,return,precall" gc "statepoint-example" {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 0, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret <2 x ptr addrspace(1)> zeroinitializer
run:
  %v3 = icmp ne ptr addrspace(1) %p0, %p0
  %v4 = load ptr addrspace(1), ptr addrspace(1) %p0
  %v6 = icmp ne i64 -1, 41
  %v7 = select i1 %v6, i64 -1, i64 41
  br label %b8
b8:
  %v10 = phi ptr addrspace(1) [ %p0, %run ], [ %v27, %b17 ]
  %v11 = phi i64 [ 0, %run ], [ %v12, %b17 ]
  %v13 = icmp sge i64 %v11, 2
  br i1 %v13, label %b9, label %b14
b14:
  %v15 = load ptr addrspace(1), ptr addrspace(1) %p0
  call void @collect() [ "gc-type"(ptr addrspace(1) %v15, i64 6) ]
  br label %b16
b16:
  %v18 = phi i64 [ %v7, %b14 ], [ %v7, %b22 ]
  %v19 = load i64, ptr @fuel
  %v20 = sub i64 %v19, 1
  store i64 %v20, ptr @fuel
  %v21 = icmp slt i64 %v19, 1
  br i1 %v21, label %b17, label %b22
b22:
  %v23 = zext i1 %v3 to i64
  %v24 = load i64, ptr %sum
  %v25 = mul i64 %v24, 31
  %v26 = xor i64 %v25, %v23
  store i64 %v26, ptr %sum
  br label %b16
b17:
  %v27 = phi ptr addrspace(1) [ %v15, %b16 ]
  %v28 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v29 = getelementptr ptr, ptr %v28, i64 0
  %v31 = load ptr, ptr %v29
  %v30 = select i1 %v3, ptr %v31, ptr @listed
  %v32 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v4, 0
  %v33 = insertvalue { ptr addrspace(1), ptr } %v32, ptr %v30, 1
  %v34 = select i1 %v3, { ptr addrspace(1), ptr } %v33, { ptr addrspace(1), ptr } %v33
  %v35 = select i1 %v3, ptr addrspace(1) %p0, ptr addrspace(1) %v10
  %v12 = add nsw i64 %v11, 1
  br label %b8
b9:
  %v36 = phi i64 [ 9223372036854775807, %b8 ]
  br i1 %v3, label %b38, label %b39
b38:
  call void @collect() [ "gc-live"(ptr addrspace(1) %v4, ptr addrspace(1) %v4) ]
  br i1 %v6, label %b44, label %b45
b44:
  %v41 = phi ptr addrspace(1) [ %v4, %b38 ], [ %v10, %b45 ]
  call void @collect()
  %v49 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v4, i32 0
  %v50 = insertelement <2 x ptr addrspace(1)> %v49, ptr addrspace(1) %p0, i32 1
  br label %b47
b47:
  %v51 = phi <2 x ptr addrspace(1)> [ %v50, %b44 ], [ %v51, %b72 ]
  %v52 = load i64, ptr @fuel
  %v53 = sub i64 %v52, 1
  store i64 %v53, ptr @fuel
  %v54 = icmp slt i64 %v52, 1
  br i1 %v54, label %b48, label %b55
b55:
  %v56 = icmp eq ptr addrspace(1) %v41, null
  %v57 = select i1 %v56, ptr addrspace(1) %v4, ptr addrspace(1) %v41
  %v59 = getelementptr i8, ptr addrspace(1) %v57, i64 32
  %v58 = load i64, ptr addrspace(1) %v59, !tbaa !4
  %v60 = call i64 @smd.gc.to_int(ptr addrspace(1) %v57)
  %v61 = or i64 %v60, 7
  %v62 = freeze i64 %v61
  %v64 = freeze i64 %v62
  %v66 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v67 = or i64 %v66, 3
  %a69 = xor i64 %v67, 5
  %v68 = xor i64 %a69, 5
  %a71 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %p0, i32 1
  %b71 = shufflevector <2 x ptr addrspace(1)> %a71, <2 x ptr addrspace(1)> poison, <2 x i32> <i32 1, i32 1>
  %v70 = extractelement <2 x ptr addrspace(1)> %b71, i32 0
  br i1 %v3, label %b48, label %b72
b72:
  br label %b47
b48:
  %v73 = phi ptr addrspace(1) [ %v4, %b47 ], [ null, %b55 ]
  %v74 = load i64, ptr @fuel
  %v75 = sub i64 %v74, 1
  store i64 %v75, ptr @fuel
  %v76 = icmp slt i64 %v74, 1
  br i1 %v76, label %b46, label %b45
b45:
  %v42 = phi ptr addrspace(1) [ %p0, %b38 ], [ %v41, %b48 ]
  %v77 = icmp ne ptr addrspace(1) %p0, %p0
  %v80 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v81 = getelementptr ptr, ptr %v80, i64 0
  %v82 = load ptr, ptr %v81
  %v83 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %p0, 0
  %v84 = insertvalue { ptr addrspace(1), ptr } %v83, ptr %v82, 1
  %v78 = extractvalue { ptr addrspace(1), ptr } %v84, 0
  %v79 = extractvalue { ptr addrspace(1), ptr } %v84, 1
  %v85 = notail call i64 %v79(ptr addrspace(1) %v78, i64 %v7)
  %v86 = load i64, ptr @fuel
  %v87 = sub i64 %v86, 1
  store i64 %v87, ptr @fuel
  %v88 = icmp slt i64 %v86, 1
  br i1 %v88, label %b46, label %b44
b46:
  %v43 = phi ptr addrspace(1) [ %v41, %b48 ], [ %v10, %b45 ]
  %v90 = and i64 %v7, 7
  %v91 = add i64 %v90, 1
  %v89 = alloca i64, i64 %v91, align 32
  store i64 %v7, ptr %v89
  %v92 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v93 = or i64 %v92, 3
  br label %b40
b39:
  %v95 = call i64 @smd.gc.to_int(ptr addrspace(1) %v4)
  %v96 = or i64 %v95, 0
  %v94 = xor i64 %v96, 3
  call void @collect()
  br label %b40
b40:
  %v97 = phi i64 [ %v93, %b46 ], [ %v96, %b39 ]
  %v98 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v4, i32 0
  %v99 = insertelement <2 x ptr addrspace(1)> %v98, ptr addrspace(1) %v10, i32 1
  %v101 = extractelement <2 x ptr addrspace(1)> %v99, i32 0
  %a103 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v101, i32 1
  %v102 = extractelement <2 x ptr addrspace(1)> %a103, i32 1
  %v104 = freeze ptr addrspace(1) %p0
  %v106 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %v102, ptr null, ptr null, i32 0, ptr null)
  %v108 = call i64 @"same.i64"(i64 %v97)
  %v110 = call ptr addrspace(1) @smd.gc.from_int(i64 %v97)
  %v111 = getelementptr inbounds %node, ptr addrspace(1) %v110, i64 0, i32 1, i64 0
  %v112 = load i64, ptr addrspace(1) %v111
  %v113 = load i64, ptr %sum
  %v114 = mul i64 %v113, 31
  %v115 = xor i64 %v114, %v112
  store i64 %v115, ptr %sum
  %v116 = icmp eq ptr addrspace(1) %v102, null
  %v117 = select i1 %v116, ptr addrspace(1) %v104, ptr addrspace(1) %v102
  %v118 = getelementptr inbounds %node, ptr addrspace(1) %v117, i64 0, i32 1, i64 0
  %v119 = load i64, ptr addrspace(1) %v118
  %v120 = load i64, ptr %sum
  %v121 = mul i64 %v120, 31
  %v122 = xor i64 %v121, %v119
  store i64 %v122, ptr %sum
  %v123 = getelementptr %node, ptr addrspace(1) %v104, i64 0, i32 1, i64 0
  %v124 = load i64, ptr addrspace(1) %v123
  %v125 = load i64, ptr %sum
  %v126 = mul i64 %v125, 31
  %v127 = xor i64 %v126, %v124
  store i64 %v127, ptr %sum
  %v128 = load i64, ptr %sum
  call void @note(i64 %v128)
  ret <2 x ptr addrspace(1)> %v99
}

define i64 @listed(ptr addrspace(1) %p0, i64 %p1) nounwind uwtable noinline noredzone gc "statepoint-example" {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 1, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = getelementptr inbounds %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v4 = getelementptr i8, ptr addrspace(1) %p0, i64 88
  br label %b5
b5:
  %v7 = phi ptr addrspace(1) [ %p0, %run ], [ %v23, %b22 ]
  %v8 = phi ptr addrspace(1) [ %v3, %run ], [ %v9, %b22 ]
  %v10 = icmp eq ptr addrspace(1) %v8, %v4
  %v12 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v13 = getelementptr ptr, ptr %v12, i64 1
  %v14 = load ptr, ptr %v13
  %v15 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %p0, 0
  %v16 = insertvalue { ptr addrspace(1), ptr } %v15, ptr %v14, 1
  br i1 %v10, label %b6, label %b11
b11:
  %v17 = load i64, ptr addrspace(1) %v8
  %v18 = load i64, ptr %sum
  %v19 = mul i64 %v18, 31
  %v20 = xor i64 %v19, %v17
  store i64 %v20, ptr %sum
  br label %b21
b21:
  %v23 = phi ptr addrspace(1) [ %v7, %b11 ], [ %v24, %b37 ]
  %v29 = load i64, ptr @fuel
  %v30 = sub i64 %v29, 1
  store i64 %v30, ptr @fuel
  %v31 = icmp slt i64 %v29, 1
  %v26 = icmp eq ptr addrspace(1) %v23, null
  %v27 = or i1 %v31, %v26
  br i1 %v27, label %b22, label %b32
b32:
  %v33 = icmp ugt i64 %p1, %p1
  br i1 %v33, label %b35, label %b36
b35:
  %v38 = call i64 @reentered(ptr addrspace(1) %p0, i64 %p1) [ "deopt"(i32 20773, i32 2564, ptr addrspace(1) %v7, ptr addrspace(1) %p0, i64 %p1, i64 %p1) ]
  %v39 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v40 = or i64 %v39, 1
  br label %b37
b36:
  %v41 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v41, ptr addrspace(1) align 8 %v41, i64 8, i1 false)
  call void @collect() [ "gc-live"(ptr addrspace(1) %p0, ptr addrspace(1) %p0) ]
  %v42 = load i64, ptr %sum
  ret i64 %v42
b37:
  %v43 = phi i64 [ %v40, %b35 ]
  %v28 = select i1 %v26, ptr addrspace(1) %p0, ptr addrspace(1) %v23
  %v25 = getelementptr i8, ptr addrspace(1) %v28, i64 8
  %v24 = load ptr addrspace(1), ptr addrspace(1) %v25
  br label %b21
b22:
  %v44 = phi ptr addrspace(1) [ %p0, %b21 ]
  %v45 = getelementptr %node, ptr addrspace(1) %v44, i64 0, i32 0, i64 2
  store ptr addrspace(1) %v23, ptr addrspace(1) %v45
  %a47 = insertvalue { i32, ptr addrspace(1) } poison, ptr addrspace(1) %v7, 1
  %v46 = extractvalue { i32, ptr addrspace(1) } %a47, 1
  %v48 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v44, i64 -8)
  %a51 = insertvalue { i32, ptr addrspace(1) } poison, ptr addrspace(1) %v46, 1
  %v50 = extractvalue { i32, ptr addrspace(1) } %a51, 1
  %v52 = call i64 @smd.gc.to_int(ptr addrspace(1) %v44)
  %v53 = or i64 %v52, 3
  %v54 = select i1 true, i64 %v53, i64 %v53
  %v56 = icmp sge i64 %p1, %p1
  %v57 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %p0, i32 0
  %v58 = insertelement <2 x ptr addrspace(1)> %v57, ptr addrspace(1) %v23, i32 1
  %v59 = select i1 %v56, <2 x ptr addrspace(1)> %v58, <2 x ptr addrspace(1)> %v58
  %v9 = getelementptr i8, ptr addrspace(1) %v8, i64 8
  br label %b5
b6:
  %v60 = phi { ptr addrspace(1), ptr } [ %v16, %b5 ]
  %v61 = call ptr addrspace(1) @crowded(i64 %p1, i64 1, i64 %p1, i64 3, i64 4, i64 5, i64 6, i64 7, ptr addrspace(1) %p0)
  call void @note(i64 %p1)
  %v64 = icmp eq ptr addrspace(1) %v7, null
  %v65 = select i1 %v64, ptr addrspace(1) %v61, ptr addrspace(1) %v7
  %v67 = getelementptr %node, ptr addrspace(1) %v65, i64 0, i32 1, i64 0
  %v66 = load i64, ptr addrspace(1) %v67
  %v63 = select i1 %v64, i64 1, i64 %v66
  %v68 = mul i64 0, 31
  %v69 = add i64 %v68, %v63
  %v62 = call i64 @observe(i64 %v69) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v7) ]
  %v74 = icmp slt i64 %v62, %v62
  %v75 = call i64 @smd.gc.to_int(ptr addrspace(1) %v61)
  %v76 = or i64 %v75, 1
  %v77 = select i1 %v74, i64 %v76, i64 %v76
  br i1 %v74, label %b79, label %b80
b79:
  br label %b82
b82:
  %v84 = phi { ptr addrspace(1), ptr } [ %v60, %b79 ], [ %v84, %b88 ]
  %v85 = load i64, ptr @fuel
  %v86 = sub i64 %v85, 1
  store i64 %v86, ptr @fuel
  %v87 = icmp slt i64 %v85, 1
  br i1 %v87, label %b83, label %b88
b88:
  %v90 = and i64 %v62, 3
  %v89 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v90
  store ptr addrspace(1) %p0, ptr %v89
  call void @collect()
  %v91 = load ptr addrspace(1), ptr %v89
  br label %b82
b83:
  %v92 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %p0, i64 116)
  %v93 = extractvalue { i1, ptr addrspace(1) } %v92, 0
  %v94 = extractvalue { i1, ptr addrspace(1) } %v92, 1
  call void @collect()
  %v95 = select i1 %v93, ptr addrspace(1) %v94, ptr addrspace(1) %p0
  br label %b81
b80:
  %v97 = and i64 %v62, 3
  %v96 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v97
  %v98 = call ptr addrspace(1) @swap(ptr %v96, ptr addrspace(1) %p0)
  call void @collect() [ "gc-live"(ptr addrspace(1) %v7, ptr addrspace(1) %v61) ]
  br label %b81
b81:
  %v100 = and i64 %v62, 7
  %v101 = add i64 %v100, 1
  %v99 = alloca i64, i64 %v101, align 64
  store i64 %v62, ptr %v99
  %v102 = call ptr addrspace(1) @smd.gc.from_int(i64 %v76)
  %v103 = getelementptr i8, ptr addrspace(1) %v102, i64 24
  %v104 = load i64, ptr addrspace(1) %v103
  %v105 = load i64, ptr %sum
  %v106 = mul i64 %v105, 31
  %v107 = xor i64 %v106, %v104
  store i64 %v107, ptr %sum
  %v108 = and i64 %p1, 3
  br label %b109
b109:
  %v111 = phi ptr addrspace(1) [ %v7, %b81 ], [ %v61, %b165 ]
  %v112 = phi i64 [ 0, %b81 ], [ %v113, %b165 ]
  %v114 = icmp sge i64 %v112, %v108
  br i1 %v114, label %b110, label %b115
b115:
  %a117 = insertvalue { i32, ptr addrspace(1) } poison, ptr addrspace(1) %v111, 1
  %v116 = extractvalue { i32, ptr addrspace(1) } %a117, 1
  %a119 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v111, i32 1
  %b119 = shufflevector <2 x ptr addrspace(1)> %a119, <2 x ptr addrspace(1)> poison, <2 x i32> <i32 1, i32 1>
  %v118 = extractelement <2 x ptr addrspace(1)> %b119, i32 0
  %v120 = getelementptr i8, ptr addrspace(1) %v111, i64 0
  %v122 = getelementptr i8, ptr addrspace(1) %v116, i64 0
  %v124 = alloca [2 x i64], align 16
  call void @llvm.memset.p0.i64(ptr %v124, i8 120, i64 16, i1 false)
  store i64 %v112, ptr %v124
  %v126 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 56
  %v125 = load i64, ptr addrspace(1) %v126, !tbaa !4
  %v127 = and i64 1431655765, 3
  %v128 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v127, i32 0
  %v129 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v127, i32 1
  br label %b141
b141:
  %v134 = phi i64 [ 0, %b115 ], [ %v135, %b144 ]
  %v138 = phi i64 [ 0, %b115 ], [ %v137, %b144 ]
  %v130 = load i64, ptr %v128
  %v131 = icmp eq i64 %v130, 1
  br i1 %v131, label %b142, label %b143
b142:
  %v132 = load ptr addrspace(1), ptr %v129
  call void @collect()
  %v140 = getelementptr i8, ptr addrspace(1) %v132, i64 24
  %v139 = load i64, ptr addrspace(1) %v140
  br label %b144
b143:
  %v133 = load i64, ptr %v129
  br label %b144
b144:
  %v146 = phi i64 [ %v139, %b142 ], [ %v133, %b143 ]
  %v137 = add i64 %v138, %v146
  %v135 = add i64 %v134, 1
  %v136 = icmp uge i64 %v135, 4
  br i1 %v136, label %b145, label %b141
b145:
  %v147 = and i64 %v125, 3
  %v148 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v147, i32 0
  %v149 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v147, i32 1
  br label %b161
b161:
  %v154 = phi i64 [ 0, %b145 ], [ %v155, %b164 ]
  %v158 = phi i64 [ 0, %b145 ], [ %v157, %b164 ]
  %v150 = load i64, ptr %v148
  %v151 = icmp eq i64 %v150, 1
  br i1 %v151, label %b162, label %b163
b162:
  %v152 = load ptr addrspace(1), ptr %v149
  call void @collect()
  %v160 = getelementptr i8, ptr addrspace(1) %v152, i64 24
  %v159 = load i64, ptr addrspace(1) %v160
  br label %b164
b163:
  %v153 = load i64, ptr %v149
  br label %b164
b164:
  %v166 = phi i64 [ %v159, %b162 ], [ %v153, %b163 ]
  %v157 = add i64 %v158, %v166
  %v155 = add i64 %v154, 1
  %v156 = icmp uge i64 %v155, 2
  br i1 %v156, label %b165, label %b161
b165:
  %v167 = icmp eq ptr addrspace(1) %v111, null
  %v168 = select i1 %v167, ptr addrspace(1) %p0, ptr addrspace(1) %v111
  %v169 = getelementptr %node, ptr addrspace(1) %v168, i64 0, i32 0, i64 2
  %v171 = cmpxchg ptr addrspace(1) %v169, ptr addrspace(1) %v168, ptr addrspace(1) %v168 acq_rel monotonic
  %v170 = extractvalue { ptr addrspace(1), i1 } %v171, 0
  %v172 = extractvalue { ptr addrspace(1), i1 } %v171, 1
  %v113 = add nsw i64 %v112, 1
  br label %b109
b110:
  %v173 = getelementptr { i64, [2 x double], ptr }, ptr %tagged.frame, i64 0, i32 1, i64 0
  %v174 = getelementptr { i64, [2 x double], ptr }, ptr %tagged.copy, i64 0, i32 1, i64 0
  %v175 = bitcast i64 %v76 to double
  store double %v175, ptr %v173
  %v176 = call ptr addrspace(1) @make(i64 %v112, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 43524, ptr addrspace(1) %v111, ptr addrspace(1) %v111, ptr addrspace(1) %v111, ptr addrspace(1) %v111) ]
  call void @collect()
  call void @llvm.memcpy.p0.p0.i64(ptr %tagged.copy, ptr %tagged.frame, i64 32, i1 false)
  %v177 = call ptr addrspace(1) @make(i64 %v62, ptr addrspace(1) %v111)
  %v178 = call ptr addrspace(1) @make(i64 %v112, ptr addrspace(1) %v111)
  %v179 = load i64, ptr %v174
  %v181 = getelementptr inbounds i8, ptr addrspace(1) %v61, i64 24
  %v182 = load i64, ptr addrspace(1) %v181
  %v183 = load i64, ptr %sum
  %v184 = mul i64 %v183, 31
  %v185 = xor i64 %v184, %v182
  store i64 %v185, ptr %sum
  %v186 = getelementptr i8, ptr addrspace(1) %v61, i64 24
  %v187 = load i64, ptr addrspace(1) %v186
  %v188 = load i64, ptr %sum
  %v189 = mul i64 %v188, 31
  %v190 = xor i64 %v189, %v187
  store i64 %v190, ptr %sum
  %v191 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v192 = load i64, ptr addrspace(1) %v191
  %v193 = load i64, ptr %sum
  %v194 = mul i64 %v193, 31
  %v195 = xor i64 %v194, %v192
  store i64 %v195, ptr %sum
  %v196 = load i64, ptr %sum
  ret i64 %v196
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) nounwind noinline optnone "smd-safepoints"="entry,return,precall" gc "statepoint-example" {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 2, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = and i64 305, 3
  %v4 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v3, i32 0
  %v5 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v3, i32 1
  br label %b17
b17:
  %v10 = phi i64 [ 0, %run ], [ %v11, %b20 ]
  %v14 = phi i64 [ 0, %run ], [ %v13, %b20 ]
  %v6 = load i64, ptr %v4
  %v7 = icmp eq i64 %v6, 1
  br i1 %v7, label %b18, label %b19
b18:
  %v8 = load ptr addrspace(1), ptr %v5
  call void @collect()
  %v16 = getelementptr i8, ptr addrspace(1) %v8, i64 24
  %v15 = load i64, ptr addrspace(1) %v16
  br label %b20
b19:
  %v9 = load i64, ptr %v5
  br label %b20
b20:
  %v22 = phi i64 [ %v15, %b18 ], [ %v9, %b19 ]
  %v13 = add i64 %v14, %v22
  %v11 = add i64 %v10, 1
  %v12 = icmp uge i64 %v11, 4
  br i1 %v12, label %b21, label %b17
b21:
  %v23 = tail call ptr addrspace(1) @turns(ptr addrspace(1) %p0, i64 %v13) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %p0, ptr addrspace(1) %p0) ]
  %v24 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v23, i32 0
  %v25 = insertelement <2 x ptr addrspace(1)> %v24, ptr addrspace(1) %v23, i32 1
  %v27 = icmp eq <2 x ptr addrspace(1)> %v25, %v25
  %v26 = select <2 x i1> %v27, <2 x ptr addrspace(1)> %v25, <2 x ptr addrspace(1)> %v25
  %v28 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 24
  %v29 = getelementptr i8, ptr addrspace(1) %p0, i64 88
  br label %b30
b30:
  %v32 = phi ptr addrspace(1) [ %p0, %b21 ], [ %v23, %b64 ]
  %v33 = phi ptr addrspace(1) [ %v28, %b21 ], [ %v34, %b64 ]
  %v35 = icmp eq ptr addrspace(1) %v33, %v29
  br i1 %v35, label %b31, label %b36
b36:
  %v37 = load i64, ptr addrspace(1) %v33
  %v38 = load i64, ptr %sum
  %v39 = mul i64 %v38, 31
  %v40 = xor i64 %v39, %v37
  store i64 %v40, ptr %sum
  %v41 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %p0, i64 %p1)
  %v42 = extractvalue { i1, ptr addrspace(1) } %v41, 0
  %v43 = extractvalue { i1, ptr addrspace(1) } %v41, 1
  %v45 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v23) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %v23, ptr addrspace(1) %p0, ptr addrspace(1) %v32) ]
  %v44 = select i1 %v42, ptr addrspace(1) %v43, ptr addrspace(1) %p0
  %v46 = and i64 %p1, 3
  %v47 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v46, i32 0
  %v48 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v46, i32 1
  br label %b60
b60:
  %v53 = phi i64 [ 0, %b36 ], [ %v54, %b63 ]
  %v57 = phi i64 [ 0, %b36 ], [ %v56, %b63 ]
  %v49 = load i64, ptr %v47
  %v50 = icmp eq i64 %v49, 1
  br i1 %v50, label %b61, label %b62
b61:
  %v51 = load ptr addrspace(1), ptr %v48
  %v59 = getelementptr i8, ptr addrspace(1) %v51, i64 24
  %v58 = load i64, ptr addrspace(1) %v59
  br label %b63
b62:
  %v52 = load i64, ptr %v48
  br label %b63
b63:
  %v65 = phi i64 [ %v58, %b61 ], [ %v52, %b62 ]
  %v56 = add i64 %v57, %v65
  %v54 = add i64 %v53, 1
  %v55 = icmp uge i64 %v54, 4
  br i1 %v55, label %b64, label %b60
b64:
  %v66 = call ptr addrspace(1) @turns(ptr addrspace(1) %p0, i64 %v56)
  %v69 = icmp eq ptr addrspace(1) %v45, null
  %v70 = select i1 %v69, ptr addrspace(1) %p0, ptr addrspace(1) %v45
  %v72 = getelementptr inbounds %node, ptr addrspace(1) %v70, i64 0, i32 1, i64 0
  %v71 = load i64, ptr addrspace(1) %v72
  %v68 = select i1 %v69, i64 1, i64 %v71
  %v73 = mul i64 0, 31
  %v74 = add i64 %v73, %v68
  %v76 = icmp eq ptr addrspace(1) %v32, null
  %v77 = select i1 %v76, ptr addrspace(1) %v44, ptr addrspace(1) %v32
  %v79 = getelementptr i8, ptr addrspace(1) %v77, i64 24
  %v78 = load i64, ptr addrspace(1) %v79
  %v75 = select i1 %v76, i64 1, i64 %v78
  %v80 = mul i64 %v74, 31
  %v81 = add i64 %v80, %v75
  %v83 = icmp eq ptr addrspace(1) %v45, null
  %v84 = select i1 %v83, ptr addrspace(1) %v45, ptr addrspace(1) %v45
  %v86 = getelementptr inbounds i8, ptr addrspace(1) %v84, i64 24
  %v85 = load i64, ptr addrspace(1) %v86
  %v82 = select i1 %v83, i64 1, i64 %v85
  %v87 = mul i64 %v81, 31
  %v88 = add i64 %v87, %v82
  %v90 = mul i64 %v88, 31
  %v91 = add i64 %v90, %v13
  %v67 = call i64 @observe(i64 %v91) [ "deopt"(i32 20773, i32 10756, ptr addrspace(1) %v45, ptr addrspace(1) %v32, ptr addrspace(1) %v45, i64 %v13) ]
  %v92 = and i64 %v67, %v67
  %v34 = getelementptr i8, ptr addrspace(1) %v33, i64 8
  br label %b30
b31:
  %v93 = icmp eq ptr addrspace(1) %v32, null
  %v94 = select i1 %v93, ptr addrspace(1) %p0, ptr addrspace(1) %v32
  %v95 = getelementptr i8, ptr addrspace(1) %v94, i64 8
  store <2 x ptr addrspace(1)> %v26, ptr addrspace(1) %v95, align 8
  %v97 = load ptr addrspace(1), ptr addrspace(1) %v94
  call void @collect() [ "gc-type"(ptr addrspace(1) %v97, i64 0) ]
  call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 901, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0)
  %v100 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v103 = icmp eq i64 %p1, %p1
  %v101 = getelementptr ptr, ptr %v100, i64 0
  %v104 = load ptr, ptr %v101
  %v102 = select i1 %v103, ptr %v104, ptr @listed
  %v105 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v94, 0
  %v106 = insertvalue { ptr addrspace(1), ptr } %v105, ptr %v102, 1
  store { ptr addrspace(1), ptr } %v106, ptr %closure
  %v108 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v97)
  call void @collect()
  %v107 = load { ptr addrspace(1), ptr }, ptr %closure
  %v109 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 24
  %v110 = load i64, ptr addrspace(1) %v109
  %v111 = load i64, ptr %sum
  %v112 = mul i64 %v111, 31
  %v113 = xor i64 %v112, %v110
  store i64 %v113, ptr %sum
  %v114 = extractelement <2 x ptr addrspace(1)> %v26, i32 0
  %v115 = icmp eq ptr addrspace(1) %v114, null
  %v116 = select i1 %v115, ptr addrspace(1) %v97, ptr addrspace(1) %v114
  %v117 = getelementptr inbounds i8, ptr addrspace(1) %v116, i64 24
  %v118 = load i64, ptr addrspace(1) %v117
  %v119 = load i64, ptr %sum
  %v120 = mul i64 %v119, 31
  %v121 = xor i64 %v120, %v118
  store i64 %v121, ptr %sum
  %v122 = extractelement <2 x ptr addrspace(1)> %v26, i32 1
  %v123 = icmp eq ptr addrspace(1) %v122, null
  %v124 = select i1 %v123, ptr addrspace(1) %v116, ptr addrspace(1) %v122
  %v125 = getelementptr inbounds i8, ptr addrspace(1) %v124, i64 24
  %v126 = load i64, ptr addrspace(1) %v125
  %v127 = load i64, ptr %sum
  %v128 = mul i64 %v127, 31
  %v129 = xor i64 %v128, %v126
  store i64 %v129, ptr %sum
  %v130 = extractelement <2 x ptr addrspace(1)> %v26, i32 0
  %v131 = icmp eq ptr addrspace(1) %v130, null
  %v132 = select i1 %v131, ptr addrspace(1) %v94, ptr addrspace(1) %v130
  %v133 = getelementptr inbounds i8, ptr addrspace(1) %v132, i64 24
  %v134 = load i64, ptr addrspace(1) %v133
  %v135 = load i64, ptr %sum
  %v136 = mul i64 %v135, 31
  %v137 = xor i64 %v136, %v134
  store i64 %v137, ptr %sum
  %v138 = extractelement <2 x ptr addrspace(1)> %v26, i32 1
  %v139 = icmp eq ptr addrspace(1) %v138, null
  %v140 = select i1 %v139, ptr addrspace(1) %v94, ptr addrspace(1) %v138
  %v141 = getelementptr i8, ptr addrspace(1) %v140, i64 24
  %v142 = load i64, ptr addrspace(1) %v141
  %v143 = load i64, ptr %sum
  %v144 = mul i64 %v143, 31
  %v145 = xor i64 %v144, %v142
  store i64 %v145, ptr %sum
  %v146 = load i64, ptr %sum
  ret i64 %v146
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %v1 = getelementptr inbounds %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  store ptr addrspace(1) %first, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 15, ptr @fuel
  %v2 = call fastcc <2 x ptr addrspace(1)> @f0(ptr addrspace(1) %v0)
  %v3 = extractelement <2 x ptr addrspace(1)> %v2, i32 0
  %v4 = icmp eq ptr addrspace(1) %v3, null
  %v5 = select i1 %v4, ptr addrspace(1) %first, ptr addrspace(1) %v3
  %v6 = getelementptr inbounds %node, ptr addrspace(1) %v5, i64 0, i32 1, i64 0
  %v7 = load i64, ptr addrspace(1) %v6
  %v8 = load i64, ptr %sum
  %v9 = mul i64 %v8, 31
  %v10 = xor i64 %v9, %v7
  store i64 %v10, ptr %sum
  %v11 = extractelement <2 x ptr addrspace(1)> %v2, i32 1
  %v12 = icmp eq ptr addrspace(1) %v11, null
  %v13 = select i1 %v12, ptr addrspace(1) %first, ptr addrspace(1) %v11
  %v14 = getelementptr i8, ptr addrspace(1) %v13, i64 24
  %v15 = load i64, ptr addrspace(1) %v14
  %v16 = load i64, ptr %sum
  %v17 = mul i64 %v16, 31
  %v18 = xor i64 %v17, %v15
  store i64 %v18, ptr %sum
  %v19 = getelementptr inbounds %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v20 = load i64, ptr addrspace(1) %v19
  %v21 = load i64, ptr %sum
  %v22 = mul i64 %v21, 31
  %v23 = xor i64 %v22, %v20
  store i64 %v23, ptr %sum
  %v24 = getelementptr inbounds %node, ptr addrspace(1) %v5, i64 0, i32 1, i64 0
  %v25 = load i64, ptr addrspace(1) %v24
  %v26 = load i64, ptr %sum
  %v27 = mul i64 %v26, 31
  %v28 = xor i64 %v27, %v25
  store i64 %v28, ptr %sum
  %v29 = getelementptr inbounds i8, ptr addrspace(1) %first, i64 24
  %v30 = load i64, ptr addrspace(1) %v29
  %v31 = load i64, ptr %sum
  %v32 = mul i64 %v31, 31
  %v33 = xor i64 %v32, %v30
  store i64 %v33, ptr %sum
  store i64 11, ptr @fuel
  %v34 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v35 = load [2 x ptr], ptr %v34
  %v36 = extractvalue [2 x ptr] %v35, 0
  %v37 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %v0, 0
  %v38 = insertvalue { ptr addrspace(1), ptr } %v37, ptr %v36, 1
  %v39 = extractvalue { ptr addrspace(1), ptr } %v38, 1
  %v40 = call i64 %v39(ptr addrspace(1) %v13, i64 %n) [ "deopt"(i32 20773, i32 43524, ptr addrspace(1) %v0, ptr addrspace(1) %first, ptr addrspace(1) %v5, ptr addrspace(1) %v13) ]
  %v41 = load i64, ptr %sum
  %v42 = mul i64 %v41, 31
  %v43 = xor i64 %v42, %v40
  store i64 %v43, ptr %sum
  %v44 = getelementptr inbounds i8, ptr addrspace(1) %v0, i64 24
  %v45 = load i64, ptr addrspace(1) %v44
  %v46 = load i64, ptr %sum
  %v47 = mul i64 %v46, 31
  %v48 = xor i64 %v47, %v45
  store i64 %v48, ptr %sum
  %v49 = extractelement <2 x ptr addrspace(1)> %v2, i32 0
  %v50 = icmp eq ptr addrspace(1) %v49, null
  %v51 = select i1 %v50, ptr addrspace(1) %v13, ptr addrspace(1) %v49
  %v52 = getelementptr inbounds i8, ptr addrspace(1) %v51, i64 24
  %v53 = load i64, ptr addrspace(1) %v52
  %v54 = load i64, ptr %sum
  %v55 = mul i64 %v54, 31
  %v56 = xor i64 %v55, %v53
  store i64 %v56, ptr %sum
  %v57 = extractelement <2 x ptr addrspace(1)> %v2, i32 1
  %v58 = icmp eq ptr addrspace(1) %v57, null
  %v59 = select i1 %v58, ptr addrspace(1) %first, ptr addrspace(1) %v57
  %v60 = getelementptr inbounds %node, ptr addrspace(1) %v59, i64 0, i32 1, i64 0
  %v61 = load i64, ptr addrspace(1) %v60
  %v62 = load i64, ptr %sum
  %v63 = mul i64 %v62, 31
  %v64 = xor i64 %v63, %v61
  store i64 %v64, ptr %sum
  %v65 = load i64, ptr %sum
  %v66 = mul i64 %v65, 31
  %v67 = xor i64 %v66, %v40
  store i64 %v67, ptr %sum
  store i64 19, ptr @fuel
  %v68 = call i64 @reentered(ptr addrspace(1) %v5, i64 %v40) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %v13, ptr addrspace(1) %v59) ]
  %v69 = load i64, ptr %sum
  %v70 = mul i64 %v69, 31
  %v71 = xor i64 %v70, %v68
  store i64 %v71, ptr %sum
  %v72 = icmp slt i64 %v40, %v68
  %v73 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v74 = load [2 x ptr], ptr %v73
  %v75 = extractvalue [2 x ptr] %v74, 1
  %v76 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v13, 0
  %v77 = insertvalue { ptr addrspace(1), ptr } %v76, ptr %v75, 1
  %v78 = select i1 %v72, { ptr addrspace(1), ptr } %v77, { ptr addrspace(1), ptr } %v77
  %v79 = call ptr addrspace(1) @make(i64 %v40, ptr addrspace(1) %first)
  %v80 = getelementptr %node, ptr addrspace(1) %v5, i64 0, i32 1, i64 0
  %v81 = load i64, ptr addrspace(1) %v80
  %v82 = load i64, ptr %sum
  %v83 = mul i64 %v82, 31
  %v84 = xor i64 %v83, %v81
  store i64 %v84, ptr %sum
  %v85 = zext i1 %v72 to i64
  %v86 = load i64, ptr %sum
  %v87 = mul i64 %v86, 31
  %v88 = xor i64 %v87, %v85
  store i64 %v88, ptr %sum
  %v89 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v90 = load i64, ptr addrspace(1) %v89
  %v91 = load i64, ptr %sum
  %v92 = mul i64 %v91, 31
  %v93 = xor i64 %v92, %v90
  store i64 %v93, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v51)
  call void @keep(i64 1, ptr addrspace(1) null)
  %v94 = load i64, ptr %sum
  ret i64 %v94
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
