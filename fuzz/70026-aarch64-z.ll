; random: target=aarch64-unknown-linux-gnu opt=z poll=tls:poll_thread:8 safepoints=return gc_registers=4 frame_pointer=non-leaf code_model=large all_backedges=true counted_loop_bits=64 stackmap_format=compact elide=none
; compile: codegen_failed: No polls: page polls are for functions with statepoints, and this one has GC "shadow-stack"; poll=call:SYMBOL or poll=flag:SYMBOL:SLOW work in both
; seed 70026
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
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@united = external global [4 x { i64, i64 }]
@code = global [5 x ptr] [ptr @f0, ptr @f1, ptr @f2, ptr @listed, ptr @reentered], align 16
declare void @llvm.gcroot(ptr, ptr)
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

define internal { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %env, ptr %code) noinline gc "statepoint-example" {
  %a = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %env, 0
  %b = insertvalue { ptr addrspace(1), ptr } %a, ptr %code, 1
  call void @collect()
  ret { ptr addrspace(1), ptr } %b
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

define internal i64 @f0(ptr addrspace(1) %p0, i64 %p1, ptr addrspace(3) %p2, ptr addrspace(3) %p3) nounwind uwtable gc "statepoint-example" {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 0, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = addrspacecast ptr addrspace(3) %p2 to ptr addrspace(1)
  %v4 = icmp eq ptr addrspace(1) %v3, null
  %v5 = select i1 %v4, ptr addrspace(1) %p0, ptr addrspace(1) %v3
  %v6 = getelementptr %node, ptr addrspace(1) %v5, i64 0, i32 1, i64 0
  %v7 = load i64, ptr addrspace(1) %v6
  %v8 = load i64, ptr %sum
  %v9 = mul i64 %v8, 31
  %v10 = xor i64 %v9, %v7
  store i64 %v10, ptr %sum
  %v12 = call i64 @smd.gc.to_int(ptr addrspace(1) %v5)
  %v13 = or i64 %v12, 3
  %v11 = xor i64 %v13, 3
  call void @collect()
  %v14 = call ptr addrspace(1) @make(i64 144, ptr addrspace(1) %v5)
  %v15 = getelementptr %node, ptr addrspace(1) %v14, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v5, ptr addrspace(1) %v15
  %v16 = and i64 %p1, 3
  %v17 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v16, i32 1
  %v18 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v16, i32 0
  store i64 710, ptr %v17
  store i64 0, ptr %v18
  %v19 = getelementptr [5 x ptr], ptr @code, i64 0, i64 2
  %v20 = getelementptr ptr, ptr %v19, i64 0
  %v21 = load ptr, ptr %v20
  %v22 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %p0, 0
  %v23 = insertvalue { ptr addrspace(1), ptr } %v22, ptr %v21, 1
  %v24 = extractvalue { ptr addrspace(1), ptr } %v23, 1
  %v25 = tail call fastcc i64 %v24(ptr addrspace(1) %v5, ptr addrspace(3) %p2) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %v14, ptr addrspace(1) %v5, ptr addrspace(1) %v5) ]
  %v26 = load i64, ptr %sum
  %v27 = mul i64 %v26, 31
  %v28 = xor i64 %v27, %v25
  store i64 %v28, ptr %sum
  %v29 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v30 = load i64, ptr addrspace(1) %v29
  %v31 = load i64, ptr %sum
  %v32 = mul i64 %v31, 31
  %v33 = xor i64 %v32, %v30
  store i64 %v33, ptr %sum
  %v34 = call ptr addrspace(1) @smd.gc.from_int(i64 %v13)
  %v35 = getelementptr %node, ptr addrspace(1) %v34, i64 0, i32 1, i64 0
  %v36 = load i64, ptr addrspace(1) %v35
  %v37 = load i64, ptr %sum
  %v38 = mul i64 %v37, 31
  %v39 = xor i64 %v38, %v36
  store i64 %v39, ptr %sum
  %v40 = load i64, ptr %sum
  ret i64 %v40
}

define internal fastcc ptr addrspace(1) @f1(ptr addrspace(1) %p0) nounwind noinline gc "statepoint-example" {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 1, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret ptr addrspace(1) null
run:
  %v4 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 72
  %v3 = load i64, ptr addrspace(1) %v4, !tbaa !4
  %v5 = and i64 %v3, 3
  br label %b6
b6:
  %v8 = phi ptr addrspace(1) [ %p0, %run ], [ %v30, %b42 ]
  %v9 = phi ptr addrspace(1) [ %p0, %run ], [ %v9, %b42 ]
  %v10 = phi i64 [ 0, %run ], [ %v11, %b42 ]
  %v12 = icmp sge i64 %v10, %v5
  %v14 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  br i1 %v12, label %b7, label %b13
b13:
  %v15 = call ptr addrspace(1) @allocate(i64 88, i64 3) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %v8, ptr addrspace(1) %p0, ptr addrspace(1) %p0) ]
  %v16 = getelementptr inbounds %node, ptr addrspace(1) %v15, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v9, ptr addrspace(1) %v15
  store i64 %v10, ptr addrspace(1) %v16
  %v17 = and i64 %v10, 3
  %v18 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v17, i32 1
  %v19 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v17, i32 0
  store ptr addrspace(1) %v9, ptr %v18
  store i64 1, ptr %v19
  %v22 = mul i64 0, 31
  %v23 = add i64 %v22, %v3
  %v25 = mul i64 %v23, 31
  %v26 = add i64 %v25, %v3
  %v28 = mul i64 %v26, 31
  %v29 = add i64 %v28, %v3
  %v20 = call i64 @observe(i64 %v29) [ "deopt"(i32 20773, i32 3, i64 %v3, i64 %v3, i64 %v3) ]
  %v30 = tail call ptr addrspace(1) @allocate(i64 88, i64 3) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v15) ]
  %v31 = getelementptr i8, ptr addrspace(1) %v30, i64 24
  store ptr addrspace(1) %p0, ptr addrspace(1) %v30
  store i64 %v20, ptr addrspace(1) %v31
  %v32 = getelementptr i8, ptr addrspace(1) %v9, i64 24
  %v33 = load i64, ptr addrspace(1) %v32
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %v33
  store i64 %v36, ptr %sum
  %v37 = load ptr addrspace(1), ptr addrspace(1) %p0
  %v38 = call ptr @smd.gc.pin(ptr addrspace(1) %v37)
  call void @collect()
  %v39 = getelementptr i8, ptr %v38, i64 24
  %v40 = load i64, ptr %v39
  store i64 %v20, ptr %v39
  call void @smd.gc.unpin(ptr %v38)
  %v41 = icmp ne i64 %v20, %v3
  br i1 %v41, label %b7, label %b42
b42:
  %v11 = add nsw i64 %v10, 1
  br label %b6
b7:
  %v43 = phi ptr addrspace(3) [ %v14, %b6 ], [ %v14, %b13 ]
  %v44 = phi ptr addrspace(1) [ %v8, %b6 ], [ %v37, %b13 ]
  %v45 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %v9, i64 %v3)
  %v46 = extractvalue { i1, ptr addrspace(1) } %v45, 0
  %v47 = extractvalue { i1, ptr addrspace(1) } %v45, 1
  call void @collect()
  call void @collect()
  %v48 = select i1 %v46, ptr addrspace(1) %v47, ptr addrspace(1) %v9
  %v49 = call i64 @smd.gc.to_int(ptr addrspace(1) %v48)
  %v50 = or i64 %v49, 2
  %v51 = call ptr addrspace(1) @smd.gc.from_int(i64 %v50)
  %v52 = and i64 %v3, 3
  %v53 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v52, i32 0
  %v54 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v52, i32 1
  br label %b66
b66:
  %v59 = phi i64 [ 0, %b7 ], [ %v60, %b69 ]
  %v63 = phi i64 [ 0, %b7 ], [ %v62, %b69 ]
  %v55 = load i64, ptr %v53
  %v56 = icmp eq i64 %v55, 1
  br i1 %v56, label %b67, label %b68
b67:
  %v57 = load ptr addrspace(1), ptr %v54
  call void @collect()
  %v65 = getelementptr i8, ptr addrspace(1) %v57, i64 24
  %v64 = load i64, ptr addrspace(1) %v65
  br label %b69
b68:
  %v58 = load i64, ptr %v54
  br label %b69
b69:
  %v71 = phi i64 [ %v64, %b67 ], [ %v58, %b68 ]
  %v62 = add i64 %v63, %v71
  %v60 = add i64 %v59, 1
  %v61 = icmp uge i64 %v60, 1
  br i1 %v61, label %b70, label %b66
b70:
  %v72 = zext i1 %v46 to i64
  %v73 = load i64, ptr %sum
  %v74 = mul i64 %v73, 31
  %v75 = xor i64 %v74, %v72
  store i64 %v75, ptr %sum
  %v76 = getelementptr i8, ptr addrspace(1) %v51, i64 24
  %v77 = load i64, ptr addrspace(1) %v76
  %v78 = load i64, ptr %sum
  %v79 = mul i64 %v78, 31
  %v80 = xor i64 %v79, %v77
  store i64 %v80, ptr %sum
  %v81 = load i64, ptr %sum
  %v82 = mul i64 %v81, 31
  %v83 = xor i64 %v82, %v10
  store i64 %v83, ptr %sum
  %v84 = load i64, ptr %sum
  call void @note(i64 %v84)
  ret ptr addrspace(1) %v48
}

define internal fastcc i64 @f2(ptr addrspace(1) noundef nonnull align 8 %p0, ptr addrspace(3) %p1) nounwind noinline optnone "frame-pointer"="all" "smd-safepoints"="entry,return,precall" gc "statepoint-example" {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
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
  %v3 = icmp slt i64 85, 41
  br i1 %v3, label %b7, label %b8
b7:
  %v4 = phi ptr addrspace(1) [ %p0, %run ], [ %v84, %b110 ]
  %v10 = addrspacecast ptr addrspace(3) %p1 to ptr addrspace(1)
  %v11 = icmp eq ptr addrspace(1) %v10, null
  %v12 = select i1 %v11, ptr addrspace(1) %p0, ptr addrspace(1) %v10
  %v13 = getelementptr inbounds %node, ptr addrspace(1) %v12, i64 0, i32 1, i64 0
  %v14 = load i64, ptr addrspace(1) %v13
  %v15 = load i64, ptr %sum
  %v16 = mul i64 %v15, 31
  %v17 = xor i64 %v16, %v14
  store i64 %v17, ptr %sum
  call void @note(i64 85)
  %v18 = load ptr addrspace(1), ptr addrspace(1) %v12
  %v19 = call ptr @smd.gc.pin(ptr addrspace(1) %v18)
  call void @collect()
  %v22 = call ptr addrspace(1) @make(i64 9223372036854775807, ptr addrspace(1) %v4) [ "deopt"(i32 20773, i32 139781, ptr addrspace(1) %v4, i64 690, ptr addrspace(1) %v12, i64 111, ptr addrspace(1) %p0) ]
  %v20 = getelementptr i8, ptr %v19, i64 24
  %v21 = load i64, ptr %v20
  store i64 0, ptr %v20
  call void @smd.gc.unpin(ptr %v19)
  %v23 = and i64 %v21, 3
  %v24 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v23, i32 0
  %v25 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v23, i32 1
  br label %b37
b37:
  %v30 = phi i64 [ 0, %b7 ], [ %v31, %b40 ]
  %v34 = phi i64 [ 0, %b7 ], [ %v33, %b40 ]
  %v26 = load i64, ptr %v24
  %v27 = icmp eq i64 %v26, 1
  br i1 %v27, label %b38, label %b39
b38:
  %v28 = load ptr addrspace(1), ptr %v25
  call void @collect()
  %v36 = getelementptr i8, ptr addrspace(1) %v28, i64 24
  %v35 = load i64, ptr addrspace(1) %v36
  br label %b40
b39:
  %v29 = load i64, ptr %v25
  br label %b40
b40:
  %v42 = phi i64 [ %v35, %b38 ], [ %v29, %b39 ]
  %v33 = add i64 %v34, %v42
  %v31 = add i64 %v30, 1
  %v32 = icmp uge i64 %v31, 3
  br i1 %v32, label %b41, label %b37
b41:
  %v45 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v46 = load <2 x ptr>, ptr %v45, align 8
  %v47 = extractelement <2 x ptr> %v46, i32 1
  %v48 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v18, 0
  %v49 = insertvalue { ptr addrspace(1), ptr } %v48, ptr %v47, 1
  br label %b43
b43:
  %v50 = phi { ptr addrspace(1), ptr } [ %v49, %b41 ], [ %v50, %b71 ]
  %v51 = load i64, ptr @fuel
  %v52 = sub i64 %v51, 1
  store i64 %v52, ptr @fuel
  %v53 = icmp slt i64 %v51, 1
  br i1 %v53, label %b44, label %b54
b54:
  %v55 = getelementptr i8, ptr addrspace(1) %v18, i64 72
  store i64 %v33, ptr addrspace(1) %v55, !tbaa !4
  br i1 %v3, label %b57, label %b58
b57:
  %v60 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  call void @collect()
  %v61 = getelementptr i8, ptr addrspace(3) %v60, i64 56
  store i64 %v21, ptr addrspace(3) %v61
  %v62 = load i64, ptr addrspace(3) %v61
  %v63 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v64 = or i64 %v63, 7
  br label %b59
b58:
  %v65 = addrspacecast ptr addrspace(3) %p1 to ptr addrspace(1)
  call void @collect()
  %v66 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v67 = or i64 %v66, 1
  br label %b59
b59:
  %v68 = phi ptr addrspace(1) [ %v12, %b57 ], [ %v12, %b58 ]
  %v69 = phi i64 [ %v64, %b57 ], [ %v67, %b58 ]
  %v70 = phi ptr addrspace(1) [ %v4, %b57 ], [ %v65, %b58 ]
  br i1 %v3, label %b44, label %b71
b71:
  br label %b43
b44:
  %v72 = phi ptr addrspace(1) [ %v12, %b43 ], [ null, %b59 ]
  %v73 = phi ptr addrspace(1) [ %v12, %b43 ], [ %v4, %b59 ]
  %v74 = extractvalue { ptr addrspace(1), ptr } %v49, 0
  %v75 = extractvalue { ptr addrspace(1), ptr } %v49, 1
  %v76 = tail call i64 %v75(ptr addrspace(1) %v74, i64 %v21)
  %v77 = load i64, ptr @fuel
  %v78 = sub i64 %v77, 1
  store i64 %v78, ptr @fuel
  %v79 = icmp slt i64 %v77, 1
  br i1 %v79, label %b9, label %b8
b8:
  %v5 = phi ptr addrspace(1) [ %p0, %run ], [ %v4, %b44 ]
  %v80 = call i64 @reenter(ptr addrspace(1) %p0, i64 594) [ "deopt"(i32 20773, i32 1, i64 983) ]
  br label %b81
b81:
  %v83 = phi i64 [ 855, %b8 ], [ %v80, %b95 ]
  %v84 = phi ptr addrspace(1) [ %v5, %b8 ], [ null, %b95 ]
  %v85 = phi ptr addrspace(3) [ %p1, %b8 ], [ %p1, %b95 ]
  %v86 = phi ptr addrspace(1) [ %v5, %b8 ], [ %v87, %b95 ]
  %v92 = load i64, ptr @fuel
  %v93 = sub i64 %v92, 1
  store i64 %v93, ptr @fuel
  %v94 = icmp slt i64 %v92, 1
  %v89 = icmp eq ptr addrspace(1) %v86, null
  %v90 = or i1 %v94, %v89
  br i1 %v90, label %b82, label %b95
b95:
  %v97 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v98 = or i64 %v97, 3
  %v96 = xor i64 %v98, 4
  call void @collect()
  call void @collect()
  %v99 = xor i64 %v98, 4
  call void @collect()
  call void @collect()
  %v91 = select i1 %v89, ptr addrspace(1) %p0, ptr addrspace(1) %v86
  %v88 = getelementptr i8, ptr addrspace(1) %v91, i64 8
  %v87 = load ptr addrspace(1), ptr addrspace(1) %v88
  br label %b81
b82:
  %v100 = phi i64 [ %v80, %b81 ]
  %v101 = phi ptr addrspace(3) [ %v85, %b81 ]
  %v102 = phi ptr addrspace(3) [ %v85, %b81 ]
  %v104 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v105 = or i64 %v104, 1
  %v103 = xor i64 %v105, 1
  call void @collect()
  call void @collect()
  %v106 = and i64 %v80, 3
  %v107 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v106, i32 1
  %v108 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v106, i32 0
  store ptr addrspace(1) %p0, ptr %v107
  store i64 1, ptr %v108
  br label %b109
b109:
  %v111 = phi ptr addrspace(3) [ %p1, %b82 ], [ %v101, %b115 ]
  %v112 = load i64, ptr @fuel
  %v113 = sub i64 %v112, 1
  store i64 %v113, ptr @fuel
  %v114 = icmp slt i64 %v112, 1
  br i1 %v114, label %b110, label %b115
b115:
  %v116 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v117 = load <2 x ptr>, ptr %v116, align 8
  %v118 = extractelement <2 x ptr> %v117, i32 1
  %v119 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %p0, 0
  %v120 = insertvalue { ptr addrspace(1), ptr } %v119, ptr %v118, 1
  store { ptr addrspace(1), ptr } %v120, ptr %closure
  call void @collect()
  %v122 = call ptr addrspace(1) @make(i64 %v80, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %p0) ]
  %v121 = load { ptr addrspace(1), ptr }, ptr %closure
  %v123 = call ptr addrspace(1) @allocate(i64 96, i64 3) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %v122, ptr addrspace(1) %v122) ]
  %v124 = getelementptr inbounds %node, ptr addrspace(1) %v123, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v123, ptr addrspace(1) %v123
  store i64 %v80, ptr addrspace(1) %v124
  %v125 = extractvalue { ptr addrspace(1), ptr } %v121, 0
  %v126 = getelementptr i8, ptr addrspace(1) %v125, i64 24
  %v127 = load i64, ptr addrspace(1) %v126
  %v128 = load i64, ptr %sum
  %v129 = mul i64 %v128, 31
  %v130 = xor i64 %v129, %v127
  store i64 %v130, ptr %sum
  br label %b109
b110:
  %v131 = phi ptr addrspace(1) [ %p0, %b109 ]
  %v132 = phi i64 [ %v80, %b109 ]
  %v133 = tail call ptr addrspace(1) @allocate(i64 88, i64 3)
  %v134 = getelementptr inbounds %node, ptr addrspace(1) %v133, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v133, ptr addrspace(1) %v133
  store i64 %v100, ptr addrspace(1) %v134
  %v135 = load i64, ptr @fuel
  %v136 = sub i64 %v135, 1
  store i64 %v136, ptr @fuel
  %v137 = icmp slt i64 %v135, 1
  br i1 %v137, label %b9, label %b7
b9:
  %v6 = phi ptr addrspace(1) [ %v4, %b44 ], [ %v84, %b110 ]
  %v139 = and i64 81, 1
  %v140 = getelementptr [2 x ptr], ptr @table, i64 0, i64 %v139
  %v141 = load ptr, ptr %v140
  %v138 = call i64 %v141(ptr addrspace(1) %p0, i64 81)
  %v142 = icmp eq ptr addrspace(1) %v6, null
  %v143 = select i1 %v142, ptr addrspace(1) %p0, ptr addrspace(1) %v6
  %v144 = getelementptr %node, ptr addrspace(1) %v143, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v6, ptr addrspace(1) %v144
  %v147 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v148 = getelementptr ptr, ptr %v147, i64 1
  %v150 = load ptr, ptr %v148
  %v149 = select i1 %v3, ptr %v150, ptr @reentered
  %v151 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v143, 0
  %v152 = insertvalue { ptr addrspace(1), ptr } %v151, ptr %v149, 1
  %v145 = extractvalue { ptr addrspace(1), ptr } %v152, 0
  %v146 = extractvalue { ptr addrspace(1), ptr } %v152, 1
  %v153 = notail call i64 %v146(ptr addrspace(1) %v145, i64 %v138) [ "deopt"(i32 20773, i32 8707, ptr addrspace(1) %v6, i64 %v138, ptr addrspace(1) %v143) ]
  %v154 = call i64 @reenter(ptr addrspace(1) %v143, i64 %v153) [ "deopt"(i32 20773, i32 174597, ptr addrspace(1) %p0, ptr addrspace(1) %v143, ptr addrspace(1) %p0, ptr addrspace(1) %v6, ptr addrspace(1) %p0) ]
  %v155 = call i64 @smd.gc.to_int(ptr addrspace(1) %v143)
  %v156 = or i64 %v155, 2
  store i64 %v156, ptr %tagged.local
  call void @collect()
  call void @collect()
  %v159 = load double, ptr %tagged.local
  %v158 = bitcast double %v159 to i64
  %v160 = call i64 @reentered(ptr addrspace(1) %p0, i64 %v138)
  call void @collect() [ "gc-live"(ptr addrspace(1) %p0, ptr addrspace(1) %p0) ]
  %v161 = and i64 %v153, 3
  switch i64 %v161, label %b162 [ i64 1, label %b163 i64 2, label %b164 i64 3, label %b165 ]
b162:
  %v167 = zext i1 %v3 to i64
  %v168 = load i64, ptr %sum
  %v169 = mul i64 %v168, 31
  %v170 = xor i64 %v169, %v167
  store i64 %v170, ptr %sum
  %v171 = or i64 %v138, 58
  store ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v173 = tail call i64 @reentered(ptr addrspace(1) %p0, i64 %v138) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %p0, ptr addrspace(1) %v6) ]
  %v174 = tail call ptr addrspace(1) @allocate(i64 88, i64 3) [ "deopt"(i32 20773, i32 43524, ptr addrspace(1) %p0, ptr addrspace(1) %v143, ptr addrspace(1) %v6, ptr addrspace(1) %p0) ]
  %v175 = getelementptr %node, ptr addrspace(1) %v174, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v174, ptr addrspace(1) %v174
  store i64 %v154, ptr addrspace(1) %v175
  br label %b166
b163:
  call void @collect() [ "gc-live"(ptr addrspace(1) %v6, ptr addrspace(1) %p0) ]
  %v176 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 72
  store i64 55, ptr addrspace(1) %v176, !tbaa !4
  %v178 = and i64 %v154, 1
  %v179 = getelementptr [2 x ptr], ptr @table, i64 0, i64 %v178
  %v180 = load ptr, ptr %v179
  %v177 = call i64 %v180(ptr addrspace(1) %p0, i64 %v154)
  %v183 = icmp eq ptr addrspace(1) %p0, null
  %v184 = select i1 %v183, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v186 = getelementptr inbounds %node, ptr addrspace(1) %v184, i64 0, i32 1, i64 0
  %v185 = load i64, ptr addrspace(1) %v186
  %v182 = select i1 %v183, i64 1, i64 %v185
  %v187 = mul i64 0, 31
  %v188 = add i64 %v187, %v182
  %v190 = icmp eq ptr addrspace(1) %p0, null
  %v191 = select i1 %v190, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v193 = getelementptr inbounds %node, ptr addrspace(1) %v191, i64 0, i32 1, i64 0
  %v192 = load i64, ptr addrspace(1) %v193
  %v189 = select i1 %v190, i64 1, i64 %v192
  %v194 = mul i64 %v188, 31
  %v195 = add i64 %v194, %v189
  %v197 = mul i64 %v195, 31
  %v198 = add i64 %v197, %v138
  %v200 = icmp eq ptr addrspace(1) %v6, null
  %v201 = select i1 %v200, ptr addrspace(1) %p0, ptr addrspace(1) %v6
  %v203 = getelementptr inbounds i8, ptr addrspace(1) %v201, i64 24
  %v202 = load i64, ptr addrspace(1) %v203
  %v199 = select i1 %v200, i64 1, i64 %v202
  %v204 = mul i64 %v198, 31
  %v205 = add i64 %v204, %v199
  %v181 = call i64 @observe(i64 %v205) [ "deopt"(i32 20773, i32 35332, ptr addrspace(1) %p0, ptr addrspace(1) %p0, i64 %v138, ptr addrspace(1) %v6) ]
  %v206 = addrspacecast ptr addrspace(3) %p1 to ptr addrspace(1)
  %v207 = icmp eq ptr addrspace(1) %v206, null
  %v208 = select i1 %v207, ptr addrspace(1) %v143, ptr addrspace(1) %v206
  %v209 = getelementptr inbounds %node, ptr addrspace(1) %v208, i64 0, i32 1, i64 0
  %v210 = load i64, ptr addrspace(1) %v209
  %v211 = load i64, ptr %sum
  %v212 = mul i64 %v211, 31
  %v213 = xor i64 %v212, %v210
  store i64 %v213, ptr %sum
  br label %b166
b164:
  %v214 = bitcast i64 %v156 to double
  store double %v214, ptr %tagged.local
  call void @collect()
  %v215 = call ptr addrspace(1) @make(i64 %v154, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 514, ptr addrspace(1) %v6, i64 %v154) ]
  %v217 = load double, ptr %tagged.local
  %v216 = bitcast double %v217 to i64
  %v218 = call i64 @smd.gc.to_int(ptr addrspace(1) %v143)
  %v219 = or i64 %v218, 7
  %v220 = call ptr addrspace(1) @smd.gc.from_int(i64 %v219)
  br label %b166
b165:
  %v223 = icmp eq ptr addrspace(1) %p0, null
  %v224 = select i1 %v223, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v226 = getelementptr inbounds %node, ptr addrspace(1) %v224, i64 0, i32 1, i64 0
  %v225 = load i64, ptr addrspace(1) %v226
  %v222 = select i1 %v223, i64 1, i64 %v225
  %v227 = mul i64 0, 31
  %v228 = add i64 %v227, %v222
  %v230 = icmp eq ptr addrspace(1) %p0, null
  %v231 = select i1 %v230, ptr addrspace(1) %v143, ptr addrspace(1) %p0
  %v233 = getelementptr i8, ptr addrspace(1) %v231, i64 24
  %v232 = load i64, ptr addrspace(1) %v233
  %v229 = select i1 %v230, i64 1, i64 %v232
  %v234 = mul i64 %v228, 31
  %v235 = add i64 %v234, %v229
  %v237 = icmp eq ptr addrspace(1) %p0, null
  %v238 = select i1 %v237, ptr addrspace(1) %v143, ptr addrspace(1) %p0
  %v240 = getelementptr inbounds i8, ptr addrspace(1) %v238, i64 24
  %v239 = load i64, ptr addrspace(1) %v240
  %v236 = select i1 %v237, i64 1, i64 %v239
  %v241 = mul i64 %v235, 31
  %v242 = add i64 %v241, %v236
  %v244 = icmp eq ptr addrspace(1) %v143, null
  %v245 = select i1 %v244, ptr addrspace(1) %p0, ptr addrspace(1) %v143
  %v247 = getelementptr inbounds i8, ptr addrspace(1) %v245, i64 24
  %v246 = load i64, ptr addrspace(1) %v247
  %v243 = select i1 %v244, i64 1, i64 %v246
  %v248 = mul i64 %v242, 31
  %v249 = add i64 %v248, %v243
  %v251 = icmp eq ptr addrspace(1) %p0, null
  %v252 = select i1 %v251, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v254 = getelementptr inbounds %node, ptr addrspace(1) %v252, i64 0, i32 1, i64 0
  %v253 = load i64, ptr addrspace(1) %v254
  %v250 = select i1 %v251, i64 1, i64 %v253
  %v255 = mul i64 %v249, 31
  %v256 = add i64 %v255, %v250
  %v221 = call i64 @observe(i64 %v256) [ "deopt"(i32 20773, i32 174597, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %v143, ptr addrspace(1) %p0) ]
  %v257 = getelementptr inbounds %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 1
  store i64 %v153, ptr addrspace(1) %v257, !tbaa !4
  %v258 = xor i64 %v156, 1
  call void @collect()
  br label %b166
b166:
  %v259 = phi ptr addrspace(3) [ %p1, %b162 ], [ %p1, %b163 ], [ %p1, %b164 ], [ %p1, %b165 ]
  %v260 = phi ptr addrspace(1) [ %v143, %b162 ], [ %v6, %b163 ], [ %v143, %b164 ], [ %v6, %b165 ]
  %v261 = phi ptr addrspace(1) [ %v174, %b162 ], [ %v6, %b163 ], [ %v215, %b164 ], [ %p0, %b165 ]
  %v262 = bitcast i64 %v156 to double
  store double %v262, ptr %tagged.local
  call void @collect()
  call void @collect()
  %v264 = load double, ptr %tagged.local
  %v263 = bitcast double %v264 to i64
  %v266 = getelementptr %node, ptr addrspace(1) %v143, i64 0, i32 0, i64 1
  %v265 = load ptr addrspace(1), ptr addrspace(1) %v266
  %v267 = call ptr addrspace(1) @make(i64 %v160, ptr addrspace(1) %p0)
  %v268 = addrspacecast ptr addrspace(3) %v259 to ptr addrspace(1)
  %v269 = zext i1 %v3 to i64
  %v270 = load i64, ptr %sum
  %v271 = mul i64 %v270, 31
  %v272 = xor i64 %v271, %v269
  store i64 %v272, ptr %sum
  %v273 = call ptr addrspace(1) @smd.gc.from_int(i64 %v263)
  %v274 = getelementptr inbounds i8, ptr addrspace(1) %v273, i64 24
  %v275 = load i64, ptr addrspace(1) %v274
  %v276 = load i64, ptr %sum
  %v277 = mul i64 %v276, 31
  %v278 = xor i64 %v277, %v275
  store i64 %v278, ptr %sum
  %v279 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v280 = load i64, ptr addrspace(1) %v279
  %v281 = load i64, ptr %sum
  %v282 = mul i64 %v281, 31
  %v283 = xor i64 %v282, %v280
  store i64 %v283, ptr %sum
  %v284 = load i64, ptr %sum
  ret i64 %v284
}

define i64 @listed(ptr addrspace(1) noundef nonnull align 8 %p0, i64 %p1) nounwind noinline noredzone "smd-safepoints"="none" gc "statepoint-example" {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 3, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = call ptr @smd.gc.pin(ptr addrspace(1) %p0)
  call void @collect()
  call void @collect()
  %v4 = getelementptr i8, ptr %v3, i64 24
  %v5 = load i64, ptr %v4
  store i64 %p1, ptr %v4
  call void @smd.gc.unpin(ptr %v3)
  %v8 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  %v9 = getelementptr i8, ptr addrspace(3) %v8, i64 48
  store i64 %p1, ptr addrspace(3) %v9
  %v10 = load i64, ptr addrspace(3) %v9
  %v11 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v12 = or i64 %v11, 0
  %v13 = call ptr addrspace(1) @smd.gc.from_int(i64 %v12)
  %v14 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 24
  %v15 = load i64, ptr addrspace(1) %v14
  %v16 = load i64, ptr %sum
  %v17 = mul i64 %v16, 31
  %v18 = xor i64 %v17, %v15
  store i64 %v18, ptr %sum
  %v19 = addrspacecast ptr addrspace(3) %v8 to ptr addrspace(1)
  %v20 = getelementptr %node, ptr addrspace(1) %v19, i64 0, i32 1, i64 0
  %v21 = load i64, ptr addrspace(1) %v20
  %v22 = load i64, ptr %sum
  %v23 = mul i64 %v22, 31
  %v24 = xor i64 %v23, %v21
  store i64 %v24, ptr %sum
  %v25 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v26 = load i64, ptr addrspace(1) %v25
  %v27 = load i64, ptr %sum
  %v28 = mul i64 %v27, 31
  %v29 = xor i64 %v28, %v26
  store i64 %v29, ptr %sum
  %v30 = load i64, ptr %sum
  ret i64 %v30
}

define i64 @reentered(ptr addrspace(1) dereferenceable(88) %p0, i64 %p1) nounwind noinline optnone "frame-pointer"="non-leaf" "smd-safepoints"="backedge" gc "statepoint-example" {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 4, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = icmp eq i64 %p1, %p1
  br i1 %v3, label %b7, label %b8
b7:
  %v4 = phi ptr addrspace(1) [ %p0, %run ], [ %v5, %b8 ]
  %v10 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  %v11 = getelementptr i8, ptr addrspace(3) %v10, i64 24
  %v12 = load i64, ptr addrspace(3) %v11
  %v13 = zext i1 %v3 to i64
  %v14 = load i64, ptr %sum
  %v15 = mul i64 %v14, 31
  %v16 = xor i64 %v15, %v13
  store i64 %v16, ptr %sum
  %v17 = call ptr addrspace(1) @kept(i64 3)
  %v20 = icmp eq ptr addrspace(1) %v4, null
  %v21 = select i1 %v20, ptr addrspace(1) %p0, ptr addrspace(1) %v4
  %v23 = getelementptr i8, ptr addrspace(1) %v21, i64 24
  %v22 = load i64, ptr addrspace(1) %v23
  %v19 = select i1 %v20, i64 1, i64 %v22
  %v24 = mul i64 0, 31
  %v25 = add i64 %v24, %v19
  %v18 = call i64 @observe(i64 %v25) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v4) ]
  br label %b26
b26:
  %v28 = phi ptr addrspace(1) [ %v4, %b7 ], [ %v29, %b56 ]
  %v29 = phi ptr addrspace(1) [ %p0, %b7 ], [ %v4, %b56 ]
  %v30 = phi ptr addrspace(1) [ %p0, %b7 ], [ %v30, %b56 ]
  %v31 = load i64, ptr @fuel
  %v32 = sub i64 %v31, 1
  store i64 %v32, ptr @fuel
  %v33 = icmp slt i64 %v31, 1
  br i1 %v33, label %b27, label %b34
b34:
  %v37 = addrspacecast ptr addrspace(1) %v17 to ptr addrspace(3)
  %v38 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v39 = load <2 x ptr>, ptr %v38, align 8
  %v40 = extractelement <2 x ptr> %v39, i32 1
  %v42 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %v30, ptr %v40)
  br label %b35
b35:
  %v43 = phi ptr addrspace(3) [ %v10, %b34 ], [ %v43, %b49 ]
  %v44 = phi ptr addrspace(3) [ %v37, %b34 ], [ %v10, %b49 ]
  %v45 = phi { ptr addrspace(1), ptr } [ %v42, %b34 ], [ %v45, %b49 ]
  %v46 = load i64, ptr @fuel
  %v47 = sub i64 %v46, 1
  store i64 %v47, ptr @fuel
  %v48 = icmp slt i64 %v46, 1
  br i1 %v48, label %b36, label %b49
b49:
  %v50 = icmp eq ptr addrspace(1) %v28, null
  %v51 = select i1 %v50, ptr addrspace(1) %v30, ptr addrspace(1) %v28
  %v53 = getelementptr i8, ptr addrspace(1) %v51, i64 24
  %v52 = load i64, ptr addrspace(1) %v53, !tbaa !4
  %v54 = call ptr addrspace(1) @kept(i64 0)
  br label %b35
b36:
  %v55 = phi { ptr addrspace(1), ptr } [ %v42, %b35 ]
  br i1 %v3, label %b27, label %b56
b56:
  br label %b26
b27:
  %v57 = phi ptr addrspace(1) [ null, %b26 ], [ %v4, %b36 ]
  %v58 = phi i64 [ %p1, %b26 ], [ %v18, %b36 ]
  %v59 = phi ptr addrspace(1) [ %v28, %b26 ], [ %v30, %b36 ]
  %v60 = load i64, ptr @fuel
  %v61 = sub i64 %v60, 1
  store i64 %v61, ptr @fuel
  %v62 = icmp slt i64 %v60, 1
  br i1 %v62, label %b9, label %b8
b8:
  %v5 = phi ptr addrspace(1) [ %p0, %run ], [ %v29, %b27 ]
  %v63 = icmp eq ptr addrspace(1) %v5, null
  %v64 = select i1 %v63, ptr addrspace(1) %p0, ptr addrspace(1) %v5
  %v65 = getelementptr %node, ptr addrspace(1) %v64, i64 0, i32 1, i64 2
  store i64 %p1, ptr addrspace(1) %v65, !tbaa !4
  %v76 = icmp eq ptr addrspace(1) %v5, null
  %v77 = select i1 %v76, ptr addrspace(1) %p0, ptr addrspace(1) %v5
  %v79 = getelementptr inbounds %node, ptr addrspace(1) %v77, i64 0, i32 1, i64 0
  %v78 = load i64, ptr addrspace(1) %v79
  %v75 = select i1 %v76, i64 1, i64 %v78
  %v80 = mul i64 0, 31
  %v81 = add i64 %v80, %v75
  %v83 = icmp eq ptr addrspace(1) %v5, null
  %v84 = select i1 %v83, ptr addrspace(1) %v64, ptr addrspace(1) %v5
  %v86 = getelementptr inbounds %node, ptr addrspace(1) %v84, i64 0, i32 1, i64 0
  %v85 = load i64, ptr addrspace(1) %v86
  %v82 = select i1 %v83, i64 1, i64 %v85
  %v87 = mul i64 %v81, 31
  %v88 = add i64 %v87, %v82
  %v90 = icmp eq ptr addrspace(1) %p0, null
  %v91 = select i1 %v90, ptr addrspace(1) %v64, ptr addrspace(1) %p0
  %v93 = getelementptr %node, ptr addrspace(1) %v91, i64 0, i32 1, i64 0
  %v92 = load i64, ptr addrspace(1) %v93
  %v89 = select i1 %v90, i64 1, i64 %v92
  %v94 = mul i64 %v88, 31
  %v95 = add i64 %v94, %v89
  %v74 = call i64 @observe(i64 %v95) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %v5, ptr addrspace(1) %v5, ptr addrspace(1) %p0) ]
  %v96 = load ptr addrspace(1), ptr addrspace(1) %p0, !dereferenceable !1
  %v98 = load i64, ptr @fuel
  %v99 = sub i64 %v98, 1
  store i64 %v99, ptr @fuel
  %v100 = icmp slt i64 %v98, 1
  br i1 %v100, label %b9, label %b7
b9:
  %v6 = phi ptr addrspace(1) [ %v29, %b27 ], [ %v5, %b8 ]
  call void @collect()
  %v102 = and i64 %p1, 15
  %v101 = ashr i64 %p1, %v102
  %v103 = call ptr addrspace(1) @rooted(ptr addrspace(1) %p0, i64 %p1)
  %v104 = and i64 %p1, 3
  %v105 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v104, i32 1
  %v106 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v104, i32 0
  store i64 %v101, ptr %v105
  store i64 0, ptr %v106
  br i1 %v3, label %b108, label %b110
b108:
  %v111 = call ptr addrspace(1) @make(i64 %v101, ptr addrspace(1) null)
  %v112 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 24
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v112, ptr addrspace(1) align 8 %v112, i64 16, i1 false)
  br label %b110
b110:
  %v113 = phi ptr addrspace(1) [ %v6, %b9 ], [ %v103, %b108 ]
  %v114 = getelementptr inbounds %node, ptr addrspace(1) %v103, i64 0, i32 1, i64 0
  %v115 = load i64, ptr addrspace(1) %v114
  %v116 = load i64, ptr %sum
  %v117 = mul i64 %v116, 31
  %v118 = xor i64 %v117, %v115
  store i64 %v118, ptr %sum
  %v119 = getelementptr inbounds i8, ptr addrspace(1) %v103, i64 24
  %v120 = load i64, ptr addrspace(1) %v119
  %v121 = load i64, ptr %sum
  %v122 = mul i64 %v121, 31
  %v123 = xor i64 %v122, %v120
  store i64 %v123, ptr %sum
  %v124 = icmp eq ptr addrspace(1) %v6, null
  %v125 = select i1 %v124, ptr addrspace(1) %v103, ptr addrspace(1) %v6
  %v126 = getelementptr inbounds %node, ptr addrspace(1) %v125, i64 0, i32 1, i64 0
  %v127 = load i64, ptr addrspace(1) %v126
  %v128 = load i64, ptr %sum
  %v129 = mul i64 %v128, 31
  %v130 = xor i64 %v129, %v127
  store i64 %v130, ptr %sum
  %v131 = load i64, ptr %sum
  ret i64 %v131
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %v1 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  store ptr addrspace(1) %v0, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 19, ptr @fuel
  %v2 = addrspacecast ptr addrspace(1) %v0 to ptr addrspace(3)
  %v3 = call i64 @f0(ptr addrspace(1) %v0, i64 %n, ptr addrspace(3) %v2, ptr addrspace(3) %v2) [ "deopt"(i32 20773, i32 174085, i64 %n, ptr addrspace(1) %first, ptr addrspace(1) %v0, ptr addrspace(1) %first, ptr addrspace(1) %v0) ]
  %v4 = load i64, ptr %sum
  %v5 = mul i64 %v4, 31
  %v6 = xor i64 %v5, %v3
  store i64 %v6, ptr %sum
  %v7 = call ptr addrspace(1) @rooted(ptr addrspace(1) %first, i64 %n)
  store ptr addrspace(1) %v7, ptr addrspace(1) %v0
  %v9 = addrspacecast ptr addrspace(3) %v2 to ptr addrspace(1)
  %v10 = getelementptr i8, ptr addrspace(1) %v9, i64 24
  %v11 = load i64, ptr addrspace(1) %v10
  %v12 = load i64, ptr %sum
  %v13 = mul i64 %v12, 31
  %v14 = xor i64 %v13, %v11
  store i64 %v14, ptr %sum
  %v15 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v16 = load i64, ptr addrspace(1) %v15
  %v17 = load i64, ptr %sum
  %v18 = mul i64 %v17, 31
  %v19 = xor i64 %v18, %v16
  store i64 %v19, ptr %sum
  %v20 = load i64, ptr %sum
  %v21 = mul i64 %v20, 31
  %v22 = xor i64 %v21, %v3
  store i64 %v22, ptr %sum
  store i64 22, ptr @fuel
  %v23 = call fastcc ptr addrspace(1) @f1(ptr addrspace(1) %v0)
  %v24 = icmp eq ptr addrspace(1) %v23, null
  %v25 = select i1 %v24, ptr addrspace(1) %v0, ptr addrspace(1) %v23
  %v26 = getelementptr %node, ptr addrspace(1) %v25, i64 0, i32 1, i64 0
  %v27 = load i64, ptr addrspace(1) %v26
  %v28 = load i64, ptr %sum
  %v29 = mul i64 %v28, 31
  %v30 = xor i64 %v29, %v27
  store i64 %v30, ptr %sum
  %v31 = load i64, ptr %sum
  %v32 = mul i64 %v31, 31
  %v33 = xor i64 %v32, %v3
  store i64 %v33, ptr %sum
  %v34 = addrspacecast ptr addrspace(3) %v2 to ptr addrspace(1)
  %v35 = getelementptr i8, ptr addrspace(1) %v34, i64 24
  %v36 = load i64, ptr addrspace(1) %v35
  %v37 = load i64, ptr %sum
  %v38 = mul i64 %v37, 31
  %v39 = xor i64 %v38, %v36
  store i64 %v39, ptr %sum
  %v40 = getelementptr %node, ptr addrspace(1) %v25, i64 0, i32 1, i64 0
  %v41 = load i64, ptr addrspace(1) %v40
  %v42 = load i64, ptr %sum
  %v43 = mul i64 %v42, 31
  %v44 = xor i64 %v43, %v41
  store i64 %v44, ptr %sum
  store i64 4, ptr @fuel
  %v45 = call fastcc i64 @f2(ptr addrspace(1) %v7, ptr addrspace(3) %v2) [ "deopt"(i32 20773, i32 2563, ptr addrspace(1) %v25, ptr addrspace(1) %v7, i64 %n) ]
  %v46 = load i64, ptr %sum
  %v47 = mul i64 %v46, 31
  %v48 = xor i64 %v47, %v45
  store i64 %v48, ptr %sum
  %v49 = getelementptr inbounds %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v50 = load i64, ptr addrspace(1) %v49
  %v51 = load i64, ptr %sum
  %v52 = mul i64 %v51, 31
  %v53 = xor i64 %v52, %v50
  store i64 %v53, ptr %sum
  %v54 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v55 = load i64, ptr addrspace(1) %v54
  %v56 = load i64, ptr %sum
  %v57 = mul i64 %v56, 31
  %v58 = xor i64 %v57, %v55
  store i64 %v58, ptr %sum
  %v59 = getelementptr inbounds i8, ptr addrspace(1) %first, i64 24
  %v60 = load i64, ptr addrspace(1) %v59
  %v61 = load i64, ptr %sum
  %v62 = mul i64 %v61, 31
  %v63 = xor i64 %v62, %v60
  store i64 %v63, ptr %sum
  store i64 18, ptr @fuel
  %v64 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v65 = load [2 x ptr], ptr %v64
  %v66 = extractvalue [2 x ptr] %v65, 0
  %v67 = call i64 %v66(ptr addrspace(1) %v7, i64 %v45) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %first, ptr addrspace(1) %first, ptr addrspace(1) %first) ]
  %v68 = load i64, ptr %sum
  %v69 = mul i64 %v68, 31
  %v70 = xor i64 %v69, %v67
  store i64 %v70, ptr %sum
  %v71 = getelementptr inbounds %node, ptr addrspace(1) %v25, i64 0, i32 1, i64 0
  %v72 = load i64, ptr addrspace(1) %v71
  %v73 = load i64, ptr %sum
  %v74 = mul i64 %v73, 31
  %v75 = xor i64 %v74, %v72
  store i64 %v75, ptr %sum
  %v76 = addrspacecast ptr addrspace(3) %v2 to ptr addrspace(1)
  %v77 = getelementptr %node, ptr addrspace(1) %v76, i64 0, i32 1, i64 0
  %v78 = load i64, ptr addrspace(1) %v77
  %v79 = load i64, ptr %sum
  %v80 = mul i64 %v79, 31
  %v81 = xor i64 %v80, %v78
  store i64 %v81, ptr %sum
  %v82 = addrspacecast ptr addrspace(3) %v2 to ptr addrspace(1)
  %v83 = getelementptr %node, ptr addrspace(1) %v82, i64 0, i32 1, i64 0
  %v84 = load i64, ptr addrspace(1) %v83
  %v85 = load i64, ptr %sum
  %v86 = mul i64 %v85, 31
  %v87 = xor i64 %v86, %v84
  store i64 %v87, ptr %sum
  store i64 23, ptr @fuel
  %v88 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v89 = load [2 x ptr], ptr %v88
  %v90 = extractvalue [2 x ptr] %v89, 1
  %v91 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v0, 0
  %v92 = insertvalue { ptr addrspace(1), ptr } %v91, ptr %v90, 1
  %v93 = extractvalue { ptr addrspace(1), ptr } %v92, 1
  %v94 = call i64 %v93(ptr addrspace(1) %v0, i64 %v45) [ "deopt"(i32 20773, i32 10245, i64 282, ptr addrspace(1) %first, ptr addrspace(1) %v25, i64 %v3, i64 760) ]
  %v95 = load i64, ptr %sum
  %v96 = mul i64 %v95, 31
  %v97 = xor i64 %v96, %v94
  store i64 %v97, ptr %sum
  %v98 = tail call ptr addrspace(1) @allocate(i64 96, i64 3) [ "deopt"(i32 20773, i32 2, i64 %v67, i64 %n) ]
  %v99 = getelementptr inbounds i8, ptr addrspace(1) %v98, i64 24
  store ptr addrspace(1) %v7, ptr addrspace(1) %v98
  store i64 %v3, ptr addrspace(1) %v99
  %v100 = addrspacecast ptr addrspace(3) %v2 to ptr addrspace(1)
  %v101 = load i64, ptr %sum
  %v102 = mul i64 %v101, 31
  %v103 = xor i64 %v102, %n
  store i64 %v103, ptr %sum
  %v104 = load i64, ptr %sum
  %v105 = mul i64 %v104, 31
  %v106 = xor i64 %v105, %v3
  store i64 %v106, ptr %sum
  %v107 = getelementptr %node, ptr addrspace(1) %v25, i64 0, i32 1, i64 0
  %v108 = load i64, ptr addrspace(1) %v107
  %v109 = load i64, ptr %sum
  %v110 = mul i64 %v109, 31
  %v111 = xor i64 %v110, %v108
  store i64 %v111, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v7)
  call void @keep(i64 1, ptr addrspace(1) %v0)
  %v112 = load i64, ptr %sum
  ret i64 %v112
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
