; random: target=aarch64-unknown-linux-gnu opt=3 poll=tls:poll_thread:8 safepoints=entry frame_pointer=non-leaf code_model=large remat=false split_backedges=true poll_interval=1 elide=none
; compile: codegen_failed: No polls: page polls are for functions with statepoints, and this one has GC "shadow-stack"; poll=call:SYMBOL or poll=flag:SYMBOL:SLOW work in both
; seed 70030
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
declare void @llvm.gcroot(ptr, ptr)
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

define internal ptr addrspace(1) @swap(ptr %slot, ptr addrspace(1) %v) noinline gc "statepoint-example" {
  call void @collect()
  %old = load ptr addrspace(1), ptr %slot
  call void @collect()
  store ptr addrspace(1) %v, ptr %slot
  ret ptr addrspace(1) %old
}

define internal ptr addrspace(3) @swap.small(ptr %slot, ptr addrspace(3) %v) noinline gc "statepoint-example" {
  call void @collect()
  %old = load ptr addrspace(3), ptr %slot
  call void @collect()
  store ptr addrspace(3) %v, ptr %slot
  ret ptr addrspace(3) %old
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

define internal i64 @f0(ptr addrspace(1) %p0, ptr addrspace(3) %p1) gc "statepoint-example" personality ptr @handle_catches {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %cells.small = alloca [4 x { ptr addrspace(3), i32 }]
  store [4 x { ptr addrspace(3), i32 }] zeroinitializer, ptr %cells.small
  store i64 0, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %p0, i32 0
  %v4 = insertelement <2 x ptr addrspace(1)> %v3, ptr addrspace(1) %p0, i32 1
  %v5 = insertelement <2 x ptr addrspace(1)> %v4, ptr addrspace(1) %p0, i32 0
  %v6 = load ptr addrspace(1), ptr addrspace(1) %p0
  %v8 = getelementptr i8, ptr addrspace(1) %v6, i64 80
  store i64 408, ptr addrspace(1) %v8
  br label %b9
b9:
  %v11 = phi ptr addrspace(1) [ %v6, %run ], [ %v49, %b40 ]
  %v12 = phi ptr addrspace(1) [ %v6, %run ], [ %v13, %b40 ]
  %v18 = load i64, ptr @fuel
  %v19 = sub i64 %v18, 1
  store i64 %v19, ptr @fuel
  %v20 = icmp slt i64 %v18, 1
  %v15 = icmp eq ptr addrspace(1) %v12, null
  %v16 = or i1 %v20, %v15
  br i1 %v16, label %b10, label %b21
b21:
  %v22 = and i64 4096, 3
  %v23 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v22, i32 0
  %v24 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v22, i32 1
  br label %b36
b36:
  %v29 = phi i64 [ 0, %b21 ], [ %v30, %b39 ]
  %v33 = phi i64 [ 0, %b21 ], [ %v32, %b39 ]
  %v25 = load i64, ptr %v23
  %v26 = icmp eq i64 %v25, 1
  br i1 %v26, label %b37, label %b38
b37:
  %v27 = load ptr addrspace(1), ptr %v24
  call void @collect()
  %v35 = getelementptr i8, ptr addrspace(1) %v27, i64 24
  %v34 = load i64, ptr addrspace(1) %v35
  br label %b39
b38:
  %v28 = load i64, ptr %v24
  br label %b39
b39:
  %v41 = phi i64 [ %v34, %b37 ], [ %v28, %b38 ]
  %v32 = add i64 %v33, %v41
  %v30 = add i64 %v29, 1
  %v31 = icmp uge i64 %v30, 3
  br i1 %v31, label %b40, label %b36
b40:
  %v42 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v6, ptr %v42
  %v44 = call i64 @smd.gc.to_int(ptr addrspace(1) %v6)
  %v45 = or i64 %v44, 5
  %v46 = getelementptr { i64, [2 x double], ptr }, ptr %tagged.frame, i64 0, i32 1, i64 1
  %v47 = getelementptr { i64, [2 x double], ptr }, ptr %tagged.copy, i64 0, i32 1, i64 1
  %v48 = bitcast i64 %v45 to double
  store double %v48, ptr %v46
  %v49 = call ptr addrspace(1) @make(i64 %v32, ptr addrspace(1) %v6)
  call void @llvm.memcpy.p0.p0.i64(ptr %tagged.copy, ptr %tagged.frame, i64 32, i1 false)
  call void @collect()
  %v51 = load double, ptr %v47
  %v50 = bitcast double %v51 to i64
  %v52 = and i64 %v32, 3
  %v53 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v52, i32 1
  %v54 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v52, i32 0
  store i64 %v32, ptr %v53
  store i64 0, ptr %v54
  store ptr addrspace(1) %v11, ptr %v42
  %v17 = select i1 %v15, ptr addrspace(1) %v11, ptr addrspace(1) %v12
  %v14 = getelementptr i8, ptr addrspace(1) %v17, i64 8
  %v13 = load ptr addrspace(1), ptr addrspace(1) %v14
  br label %b9
b10:
  %v55 = phi ptr addrspace(3) [ %p1, %b9 ]
  %v58 = trunc i64 848 to i32
  %v56 = insertelement <4 x i32> zeroinitializer, i32 %v58, i32 1
  %v57 = add <4 x i32> %v56, <i32 1, i32 2, i32 3, i32 57>
  %v59 = insertelement <4 x i32> zeroinitializer, i32 %v58, i32 3
  %v60 = add <4 x i32> %v59, <i32 1, i32 2, i32 3, i32 51>
  %v61 = shufflevector <4 x i32> %v57, <4 x i32> %v60, <4 x i32> <i32 5, i32 5, i32 2, i32 3>
  %v62 = getelementptr %node, ptr addrspace(1) %v6, i64 0, i32 0, i64 2
  %v63 = atomicrmw xchg ptr addrspace(1) %v62, ptr addrspace(1) %v6 seq_cst
  %v68 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v69 = or i64 %v68, 0
  br label %b66
b66:
  %v70 = phi i64 [ %v69, %b10 ], [ %v69, %b99 ]
  %v71 = phi ptr addrspace(1) [ %v6, %b10 ], [ %v72, %b99 ]
  %v77 = load i64, ptr @fuel
  %v78 = sub i64 %v77, 1
  store i64 %v78, ptr @fuel
  %v79 = icmp slt i64 %v77, 1
  %v74 = icmp eq ptr addrspace(1) %v71, null
  %v75 = or i1 %v79, %v74
  br i1 %v75, label %b67, label %b80
b80:
  %v81 = getelementptr %node, ptr addrspace(1) %v11, i64 0, i32 1, i64 0
  %v82 = load i64, ptr addrspace(1) %v81
  %v83 = load i64, ptr %sum
  %v84 = mul i64 %v83, 31
  %v85 = xor i64 %v84, %v82
  store i64 %v85, ptr %sum
  %v88 = sitofp i32 %v58 to double
  br label %b86
b86:
  %v89 = phi double [ %v88, %b80 ], [ %v88, %b93 ]
  %v90 = load i64, ptr @fuel
  %v91 = sub i64 %v90, 1
  store i64 %v91, ptr @fuel
  %v92 = icmp slt i64 %v90, 1
  br i1 %v92, label %b87, label %b93
b93:
  %v94 = icmp eq ptr addrspace(1) %v63, null
  %v95 = select i1 %v94, ptr addrspace(1) %p0, ptr addrspace(1) %v63
  store ptr addrspace(1) %v11, ptr addrspace(1) %v95
  br label %b86
b87:
  %v97 = phi i32 [ %v58, %b86 ]
  %v98 = icmp ugt i64 888, 17
  br i1 %v98, label %b67, label %b99
b99:
  %v76 = select i1 %v74, ptr addrspace(1) %p0, ptr addrspace(1) %v71
  %v73 = getelementptr i8, ptr addrspace(1) %v76, i64 8
  %v72 = load ptr addrspace(1), ptr addrspace(1) %v73
  br label %b66
b67:
  %v100 = phi <2 x ptr addrspace(1)> [ %v4, %b66 ], [ %v4, %b87 ]
  %v101 = call ptr @smd.gc.pin(ptr addrspace(1) %v6)
  call void @collect()
  call void @collect()
  %v102 = getelementptr i8, ptr %v101, i64 24
  %v103 = load i64, ptr %v102
  store i64 2, ptr %v102
  call void @smd.gc.unpin(ptr %v101)
  %v104 = icmp eq ptr addrspace(1) %v63, null
  %v105 = select i1 %v104, ptr addrspace(1) %v6, ptr addrspace(1) %v63
  store ptr addrspace(1) %v11, ptr addrspace(1) %v105
  %v107 = load ptr addrspace(1), ptr addrspace(1) %v6
  %v109 = insertelement <2 x ptr addrspace(1)> %v100, ptr addrspace(1) %v71, i32 0
  %v110 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %p0, i64 %v103)
  %v111 = extractvalue { i1, ptr addrspace(1) } %v110, 0
  %v112 = extractvalue { i1, ptr addrspace(1) } %v110, 1
  %v114 = call ptr addrspace(1) @make(i64 %v103, ptr addrspace(1) %v71)
  call void @collect()
  %v113 = select i1 %v111, ptr addrspace(1) %v112, ptr addrspace(1) %p0
  %v115 = getelementptr %node, ptr addrspace(1) %v6, i64 0, i32 1, i64 0
  %v116 = load i64, ptr addrspace(1) %v115
  %v117 = load i64, ptr %sum
  %v118 = mul i64 %v117, 31
  %v119 = xor i64 %v118, %v116
  store i64 %v119, ptr %sum
  %v120 = icmp eq ptr addrspace(1) %v71, null
  %v121 = select i1 %v120, ptr addrspace(1) %v113, ptr addrspace(1) %v71
  %v122 = getelementptr %node, ptr addrspace(1) %v121, i64 0, i32 1, i64 0
  %v123 = load i64, ptr addrspace(1) %v122
  %v124 = load i64, ptr %sum
  %v125 = mul i64 %v124, 31
  %v126 = xor i64 %v125, %v123
  store i64 %v126, ptr %sum
  %v127 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v128 = load i64, ptr addrspace(1) %v127
  %v129 = load i64, ptr %sum
  %v130 = mul i64 %v129, 31
  %v131 = xor i64 %v130, %v128
  store i64 %v131, ptr %sum
  %v132 = load i64, ptr %sum
  call void @note(i64 %v132)
  call void @throw_value(ptr addrspace(1) %v113)
  unreachable
}

define i64 @listed(ptr addrspace(1) %p0, i64 %p1) gc "statepoint-example" personality ptr @handle_catches {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %cells.small = alloca [4 x { ptr addrspace(3), i32 }]
  store [4 x { ptr addrspace(3), i32 }] zeroinitializer, ptr %cells.small
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
  %v5 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %p0, i32 0
  %v6 = insertelement <2 x ptr addrspace(1)> %v5, ptr addrspace(1) %p0, i32 1
  store <2 x ptr addrspace(1)> %v6, ptr addrspace(1) %v3, align 8
  %v7 = call ptr addrspace(1) @allocate(i64 104, i64 3)
  %v8 = getelementptr %node, ptr addrspace(1) %v7, i64 0, i32 1, i64 0
  store ptr addrspace(1) %p0, ptr addrspace(1) %v7
  store i64 %p1, ptr addrspace(1) %v8
  %v9 = icmp eq i64 %p1, %p1
  br i1 %v9, label %b11, label %b12
b11:
  br i1 %v9, label %b17, label %b18
b17:
  %v14 = phi ptr addrspace(1) [ %v7, %b11 ], [ %p0, %b18 ]
  br label %b20
b20:
  %v22 = load i64, ptr @fuel
  %v23 = sub i64 %v22, 1
  store i64 %v23, ptr @fuel
  %v24 = icmp slt i64 %v22, 1
  br i1 %v24, label %b21, label %b25
b25:
  %v26 = trunc i64 %p1 to i32
  %v27 = add i32 %v26, %v26
  %v28 = zext i32 %v27 to i64
  br label %b20
b21:
  %v29 = phi i64 [ %p1, %b20 ]
  %v31 = and i64 %v29, 3
  %v30 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v31
  store ptr addrspace(1) %v7, ptr %v30
  %v33 = call ptr addrspace(1) @make(i64 %v29, ptr addrspace(1) %v7)
  %v34 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v33)
  %v32 = load ptr addrspace(1), ptr %v30
  %v35 = load i64, ptr @fuel
  %v36 = sub i64 %v35, 1
  store i64 %v36, ptr @fuel
  %v37 = icmp slt i64 %v35, 1
  br i1 %v37, label %b19, label %b18
b18:
  %v15 = phi ptr addrspace(1) [ %v7, %b11 ], [ %v32, %b21 ]
  %v38 = trunc i64 %p1 to i32
  %v39 = xor i32 %v38, %v38
  %v40 = zext i32 %v39 to i64
  %v41 = load i64, ptr @fuel
  %v42 = sub i64 %v41, 1
  store i64 %v42, ptr @fuel
  %v43 = icmp slt i64 %v41, 1
  br i1 %v43, label %b19, label %b17
b19:
  %v16 = phi ptr addrspace(1) [ %v32, %b21 ], [ %p0, %b18 ]
  br label %b13
b12:
  %v44 = getelementptr i8, ptr addrspace(1) %v7, i64 24
  %v45 = getelementptr i8, ptr addrspace(1) %v7, i64 88
  %v49 = trunc i64 %p1 to i32
  %v48 = sitofp i32 %v49 to double
  br label %b46
b46:
  %v50 = phi double [ %v48, %b12 ], [ %v48, %b60 ]
  %v51 = phi ptr addrspace(1) [ %v44, %b12 ], [ %v52, %b60 ]
  %v53 = icmp eq ptr addrspace(1) %v51, %v45
  br i1 %v53, label %b47, label %b54
b54:
  %v55 = load i64, ptr addrspace(1) %v51
  %v56 = load i64, ptr %sum
  %v57 = mul i64 %v56, 31
  %v58 = xor i64 %v57, %v55
  store i64 %v58, ptr %sum
  br label %b59
b59:
  %v61 = phi i64 [ %p1, %b54 ], [ %v61, %b65 ]
  %v62 = load i64, ptr @fuel
  %v63 = sub i64 %v62, 1
  store i64 %v63, ptr @fuel
  %v64 = icmp slt i64 %v62, 1
  br i1 %v64, label %b60, label %b65
b65:
  %v66 = getelementptr i8, ptr addrspace(1) %p0, i64 56
  store i64 %v61, ptr addrspace(1) %v66
  br label %b59
b60:
  %v67 = phi <2 x ptr addrspace(1)> [ %v6, %b59 ]
  %v69 = and i64 %v61, 3
  %v68 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v69
  store ptr addrspace(1) %p0, ptr %v68
  %v71 = call ptr addrspace(1) @make(i64 %v61, ptr addrspace(1) %v7)
  %v70 = load ptr addrspace(1), ptr %v68
  %v52 = getelementptr i8, ptr addrspace(1) %v51, i64 8
  br label %b46
b47:
  %v72 = addrspacecast ptr addrspace(1) %v7 to ptr addrspace(3)
  %v73 = icmp eq ptr addrspace(3) %v72, %v72
  br label %b13
b13:
  %v74 = phi i64 [ %p1, %b19 ], [ %p1, %b47 ]
  %v75 = load i64, ptr %sum
  %v76 = mul i64 %v75, 31
  %v77 = xor i64 %v76, %p1
  store i64 %v77, ptr %sum
  %v78 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v7, ptr %v78
  %v80 = and i64 %p1, 3
  %v81 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v80, i32 0
  %v82 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v80, i32 1
  br label %b94
b94:
  %v87 = phi i64 [ 0, %b13 ], [ %v88, %b97 ]
  %v91 = phi i64 [ 0, %b13 ], [ %v90, %b97 ]
  %v83 = load i64, ptr %v81
  %v84 = icmp eq i64 %v83, 1
  br i1 %v84, label %b95, label %b96
b95:
  %v85 = load ptr addrspace(1), ptr %v82
  %v93 = getelementptr i8, ptr addrspace(1) %v85, i64 24
  %v92 = load i64, ptr addrspace(1) %v93
  br label %b97
b96:
  %v86 = load i64, ptr %v82
  br label %b97
b97:
  %v99 = phi i64 [ %v92, %b95 ], [ %v86, %b96 ]
  %v90 = add i64 %v91, %v99
  %v88 = add i64 %v87, 1
  %v89 = icmp uge i64 %v88, 4
  br i1 %v89, label %b98, label %b94
b98:
  br label %b100
b100:
  %v102 = phi i64 [ 0, %b98 ], [ %v103, %b119 ]
  %v104 = icmp sge i64 %v102, 3
  br i1 %v104, label %b101, label %b105
b105:
  %v106 = icmp slt i64 %v102, %p1
  %v107 = select i1 %v106, i64 %v102, i64 %p1
  %v108 = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %v109 = getelementptr i8, ptr addrspace(1) %v108, i64 24
  store ptr addrspace(1) %v108, ptr addrspace(1) %v108
  store i64 %v102, ptr addrspace(1) %v109
  %v111 = and i64 %p1, 3
  %v110 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v111
  %v112 = load ptr addrspace(1), ptr %v110
  store ptr addrspace(1) %v7, ptr %v110
  %v114 = getelementptr %node, ptr addrspace(1) %v108, i64 0, i32 0, i64 1
  %v113 = load ptr addrspace(1), ptr addrspace(1) %v114
  %v115 = trunc i64 %v90 to i32
  %v116 = xor i32 %v115, %v115
  %v117 = zext i32 %v116 to i64
  %v118 = icmp ult i64 %v117, %v74
  br i1 %v118, label %b101, label %b119
b119:
  %v103 = add nsw i64 %v102, 1
  br label %b100
b101:
  %v120 = and i64 0, 3
  %v121 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v120, i32 1
  %v122 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v120, i32 0
  store ptr addrspace(1) %v7, ptr %v121
  store i64 1, ptr %v122
  %v123 = addrspacecast ptr addrspace(1) %v7 to ptr addrspace(3)
  call void @collect()
  %v124 = getelementptr i8, ptr addrspace(3) %v123, i64 24
  %v125 = atomicrmw xor ptr addrspace(3) %v124, i64 %v74 seq_cst
  %v126 = load i64, ptr %sum
  %v127 = mul i64 %v126, 31
  %v128 = xor i64 %v127, %v90
  store i64 %v128, ptr %sum
  %v129 = load i64, ptr %sum
  %v130 = mul i64 %v129, 31
  %v131 = xor i64 %v130, %v102
  store i64 %v131, ptr %sum
  %v132 = load i64, ptr %sum
  ret i64 %v132
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) gc "statepoint-example" personality ptr @handle_catches {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %cells.small = alloca [4 x { ptr addrspace(3), i32 }]
  store [4 x { ptr addrspace(3), i32 }] zeroinitializer, ptr %cells.small
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
  call void @collect() [ "gc-type"(ptr addrspace(1) %v3, i64 6) ]
  %v4 = and i64 %p1, 3
  %v7 = call i64 @smd.gc.to_int(ptr addrspace(1) %v3)
  %v8 = or i64 %v7, 4
  br label %b5
b5:
  %v9 = phi i64 [ %v8, %run ], [ %v8, %b13 ]
  %v10 = phi i64 [ 0, %run ], [ %v11, %b13 ]
  %v12 = icmp sge i64 %v10, %v4
  %v14 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v3, i32 0
  %v15 = insertelement <2 x ptr addrspace(1)> %v14, ptr addrspace(1) %v3, i32 1
  br i1 %v12, label %b6, label %b13
b13:
  %v17 = extractelement <2 x ptr addrspace(1)> %v15, i32 1
  %v18 = call ptr addrspace(1) @smd.gc.from_int(i64 %v8)
  %v19 = getelementptr %node, ptr addrspace(1) %v18, i64 0, i32 1, i64 0
  %v20 = load i64, ptr addrspace(1) %v19
  %v21 = load i64, ptr %sum
  %v22 = mul i64 %v21, 31
  %v23 = xor i64 %v22, %v20
  store i64 %v23, ptr %sum
  %v24 = addrspacecast ptr addrspace(1) %v17 to ptr addrspace(3)
  %v25 = insertelement <2 x ptr addrspace(3)> zeroinitializer, ptr addrspace(3) %v24, i32 0
  %v26 = insertelement <2 x ptr addrspace(3)> %v25, ptr addrspace(3) %v24, i32 1
  %v28 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v17)
  call void @collect()
  %v27 = shufflevector <2 x ptr addrspace(3)> %v26, <2 x ptr addrspace(3)> %v26, <2 x i32> <i32 3, i32 2>
  %v11 = add nsw i64 %v10, 1
  br label %b5
b6:
  %v29 = phi <2 x ptr addrspace(1)> [ %v15, %b5 ]
  %v30 = call ptr addrspace(1) @smd.gc.from_int(i64 %v8)
  %v32 = and i64 4096, 3
  %v31 = getelementptr [4 x { ptr addrspace(3), i32 }], ptr %cells.small, i64 0, i64 %v32, i32 0
  %v34 = addrspacecast ptr addrspace(1) %v30 to ptr addrspace(3)
  %v33 = call ptr addrspace(3) @swap.small(ptr %v31, ptr addrspace(3) %v34)
  %v35 = addrspacecast ptr addrspace(1) %v30 to ptr addrspace(3)
  %v36 = insertelement <2 x ptr addrspace(3)> zeroinitializer, ptr addrspace(3) %v33, i32 0
  %v37 = insertelement <2 x ptr addrspace(3)> %v36, ptr addrspace(3) %v35, i32 1
  %v39 = extractelement <2 x ptr addrspace(3)> %v37, i32 1
  call void @collect()
  %v40 = getelementptr %node, ptr addrspace(1) %v3, i64 0, i32 1, i64 0
  %v41 = getelementptr i8, ptr addrspace(1) %v3, i64 88
  %v45 = trunc i64 %v10 to i32
  %v44 = sitofp i32 %v45 to double
  br label %b42
b42:
  %v46 = phi double [ %v44, %b6 ], [ %v44, %b50 ]
  %v47 = phi ptr addrspace(1) [ %v40, %b6 ], [ %v48, %b50 ]
  %v49 = icmp eq ptr addrspace(1) %v47, %v41
  br i1 %v49, label %b43, label %b50
b50:
  %v51 = load i64, ptr addrspace(1) %v47
  %v52 = load i64, ptr %sum
  %v53 = mul i64 %v52, 31
  %v54 = xor i64 %v53, %v51
  store i64 %v54, ptr %sum
  %v55 = call ptr addrspace(1) @smd.gc.from_int(i64 %v8)
  %v56 = shufflevector <2 x ptr addrspace(1)> %v15, <2 x ptr addrspace(1)> %v15, <2 x i32> <i32 3, i32 0>
  %v48 = getelementptr i8, ptr addrspace(1) %v47, i64 8
  br label %b42
b43:
  %v59 = and i64 %v10, 3
  %v58 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v59
  %v60 = load ptr addrspace(1), ptr %v58
  store ptr addrspace(1) %p0, ptr %v58
  %v61 = call ptr @smd.gc.pin(ptr addrspace(1) %p0)
  %v64 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %p0)
  call void @collect()
  %v62 = getelementptr i8, ptr %v61, i64 24
  %v63 = load i64, ptr %v62
  %v65 = call ptr addrspace(1) @make(i64 %v10, ptr addrspace(1) %v30)
  store i64 %p1, ptr %v62
  call void @smd.gc.unpin(ptr %v61)
  %v66 = call ptr addrspace(1) @make(i64 %v10, ptr addrspace(1) %v64)
  %v67 = extractelement <2 x ptr addrspace(1)> %v15, i32 0
  %v68 = getelementptr %node, ptr addrspace(1) %v67, i64 0, i32 1, i64 0
  %v69 = load i64, ptr addrspace(1) %v68
  %v70 = load i64, ptr %sum
  %v71 = mul i64 %v70, 31
  %v72 = xor i64 %v71, %v69
  store i64 %v72, ptr %sum
  %v73 = extractelement <2 x ptr addrspace(1)> %v15, i32 1
  %v74 = getelementptr i8, ptr addrspace(1) %v73, i64 24
  %v75 = load i64, ptr addrspace(1) %v74
  %v76 = load i64, ptr %sum
  %v77 = mul i64 %v76, 31
  %v78 = xor i64 %v77, %v75
  store i64 %v78, ptr %sum
  %v80 = bitcast double %v44 to i64
  %v79 = fcmp ord double %v44, 0.0
  %v81 = select i1 %v79, i64 %v80, i64 7
  %v82 = load i64, ptr %sum
  %v83 = mul i64 %v82, 31
  %v84 = xor i64 %v83, %v81
  store i64 %v84, ptr %sum
  %v85 = addrspacecast ptr addrspace(3) %v35 to ptr addrspace(1)
  %v86 = getelementptr %node, ptr addrspace(1) %v85, i64 0, i32 1, i64 0
  %v87 = load i64, ptr addrspace(1) %v86
  %v88 = load i64, ptr %sum
  %v89 = mul i64 %v88, 31
  %v90 = xor i64 %v89, %v87
  store i64 %v90, ptr %sum
  %v91 = load i64, ptr %sum
  call void @note(i64 %v91)
  call void @throw_value(ptr addrspace(1) %v3)
  unreachable
}

define i64 @program(i64 %n) gc "statepoint-example" personality ptr @handle_catches {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %cells.small = alloca [4 x { ptr addrspace(3), i32 }]
  store [4 x { ptr addrspace(3), i32 }] zeroinitializer, ptr %cells.small
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %v1 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v0, ptr addrspace(1) %v0
  store i64 886, ptr addrspace(1) %v1
  store i64 18, ptr @fuel
  %v6 = addrspacecast ptr addrspace(1) %v0 to ptr addrspace(3)
  %v5 = invoke i64 @f0(ptr addrspace(1) %v0, ptr addrspace(3) %v6) to label %b2 unwind label %b3
b2:
  %v7 = call ptr addrspace(1) @rooted(ptr addrspace(1) %first, i64 661)
  br label %b4
b3:
  %v8 = landingpad { ptr, i32 } catch ptr null
  %v9 = call ptr addrspace(1) @caught()
  %v11 = getelementptr i8, ptr addrspace(1) %first, i64 56
  %v10 = load i64, ptr addrspace(1) %v11
  %v12 = icmp ne i64 %n, %v10
  br i1 %v12, label %b14, label %b15
b14:
  %v17 = call i64 @smd.gc.to_int(ptr addrspace(1) %first)
  %v18 = or i64 %v17, 3
  %v19 = getelementptr { i64, [2 x double], ptr }, ptr %tagged.frame, i64 0, i32 1, i64 1
  store i64 %v18, ptr %v19
  call void @collect()
  %v21 = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %first)
  %v22 = load i64, ptr %v19
  %v24 = call ptr addrspace(1) @make(i64 %v10, ptr addrspace(1) %v0)
  %v25 = getelementptr i8, ptr addrspace(1) %v9, i64 24
  %v26 = load i64, ptr addrspace(1) %v25
  %v27 = load i64, ptr %sum
  %v28 = mul i64 %v27, 31
  %v29 = xor i64 %v28, %v26
  store i64 %v29, ptr %sum
  br label %b16
b15:
  call void @note(i64 933)
  br label %b16
b16:
  %v30 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %first, i32 0
  %v31 = insertelement <2 x ptr addrspace(1)> %v30, ptr addrspace(1) %first, i32 1
  %v32 = insertelement <2 x ptr addrspace(1)> %v31, ptr addrspace(1) %v9, i32 0
  br label %b4
b4:
  %v33 = phi i64 [ %n, %b2 ], [ %n, %b16 ]
  %v34 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v35 = load i64, ptr addrspace(1) %v34
  %v36 = load i64, ptr %sum
  %v37 = mul i64 %v36, 31
  %v38 = xor i64 %v37, %v35
  store i64 %v38, ptr %sum
  %v39 = load i64, ptr %sum
  %v40 = mul i64 %v39, 31
  %v41 = xor i64 %v40, %v33
  store i64 %v41, ptr %sum
  %v42 = load i64, ptr %sum
  %v43 = mul i64 %v42, 31
  %v44 = xor i64 %v43, %n
  store i64 %v44, ptr %sum
  store i64 6, ptr @fuel
  %v45 = call i64 @listed(ptr addrspace(1) %v0, i64 %v33)
  %v46 = load i64, ptr %sum
  %v47 = mul i64 %v46, 31
  %v48 = xor i64 %v47, %v45
  store i64 %v48, ptr %sum
  %v49 = load i64, ptr %sum
  %v50 = mul i64 %v49, 31
  %v51 = xor i64 %v50, %v33
  store i64 %v51, ptr %sum
  %v52 = getelementptr i8, ptr addrspace(1) %first, i64 24
  %v53 = load i64, ptr addrspace(1) %v52
  %v54 = load i64, ptr %sum
  %v55 = mul i64 %v54, 31
  %v56 = xor i64 %v55, %v53
  store i64 %v56, ptr %sum
  %v57 = load i64, ptr %sum
  %v58 = mul i64 %v57, 31
  %v59 = xor i64 %v58, %n
  store i64 %v59, ptr %sum
  store i64 18, ptr @fuel
  %v63 = invoke i64 @reentered(ptr addrspace(1) %first, i64 %v33) to label %b60 unwind label %b61
b60:
  %v69 = trunc i64 %n to i32
  %v68 = invoke i64 @f0(ptr addrspace(1) %first, ptr addrspace(3) %v6) to label %b64 unwind label %b66
b64:
  %v73 = invoke i64 @listed(ptr addrspace(1) %first, i64 %v33) to label %b70 unwind label %b71
b70:
  %v74 = icmp ne ptr addrspace(1) %first, %v0
  br label %b72
b71:
  %v75 = landingpad { ptr, i32 } catch ptr null
  %v76 = call ptr addrspace(1) @caught()
  %v77 = and i64 %v33, 3
  %v78 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v77, i32 0
  %v79 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v77, i32 1
  br label %b91
b91:
  %v84 = phi i64 [ 0, %b71 ], [ %v85, %b94 ]
  %v88 = phi i64 [ 0, %b71 ], [ %v87, %b94 ]
  %v80 = load i64, ptr %v78
  %v81 = icmp eq i64 %v80, 1
  br i1 %v81, label %b92, label %b93
b92:
  %v82 = load ptr addrspace(1), ptr %v79
  %v90 = getelementptr i8, ptr addrspace(1) %v82, i64 24
  %v89 = load i64, ptr addrspace(1) %v90
  br label %b94
b93:
  %v83 = load i64, ptr %v79
  br label %b94
b94:
  %v96 = phi i64 [ %v89, %b92 ], [ %v83, %b93 ]
  %v87 = add i64 %v88, %v96
  %v85 = add i64 %v84, 1
  %v86 = icmp uge i64 %v85, 4
  br i1 %v86, label %b95, label %b91
b95:
  %v97 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v98 = load i64, ptr addrspace(1) %v97
  %v99 = load i64, ptr %sum
  %v100 = mul i64 %v99, 31
  %v101 = xor i64 %v100, %v98
  store i64 %v101, ptr %sum
  br label %b72
b72:
  %v102 = addrspacecast ptr addrspace(1) %first to ptr addrspace(3)
  call void @collect()
  %v103 = invoke i64 @listed(ptr addrspace(1) %first, i64 %v33) to label %b65 unwind label %b66
b65:
  br label %b67
b66:
  %v104 = phi i32 [ %v69, %b60 ], [ %v69, %b72 ]
  %v105 = landingpad { ptr, i32 } catch ptr null
  %v106 = call ptr addrspace(1) @caught()
  %v107 = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %v0)
  %v108 = getelementptr %node, ptr addrspace(1) %v106, i64 0, i32 1, i64 0
  %v109 = getelementptr i8, ptr addrspace(1) %v106, i64 88
  %v112 = sitofp i32 %v104 to double
  br label %b110
b110:
  %v113 = phi double [ %v112, %b66 ], [ %v112, %b117 ]
  %v114 = phi ptr addrspace(1) [ %v108, %b66 ], [ %v115, %b117 ]
  %v116 = icmp eq ptr addrspace(1) %v114, %v109
  br i1 %v116, label %b111, label %b117
b117:
  %v118 = load i64, ptr addrspace(1) %v114
  %v119 = load i64, ptr %sum
  %v120 = mul i64 %v119, 31
  %v121 = xor i64 %v120, %v118
  store i64 %v121, ptr %sum
  %v122 = call i64 @smd.gc.to_int(ptr addrspace(1) %v106)
  %v123 = or i64 %v122, 7
  %v124 = call ptr addrspace(1) @smd.gc.from_int(i64 %v123)
  %v115 = getelementptr i8, ptr addrspace(1) %v114, i64 8
  br label %b110
b111:
  %v125 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v106, ptr %v125
  %v128 = call i64 @smd.gc.to_int(ptr addrspace(1) %v106)
  %v129 = or i64 %v128, 2
  %v127 = xor i64 %v129, 1
  call void @collect()
  br label %b67
b67:
  %v130 = phi i64 [ %v103, %b65 ], [ %v33, %b111 ]
  %v131 = call i64 @listed(ptr addrspace(1) %v0, i64 %v130)
  %v132 = addrspacecast ptr addrspace(1) %first to ptr addrspace(3)
  %v133 = call ptr addrspace(1) @make(i64 %v130, ptr addrspace(1) %first)
  %v134 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 7
  store i64 %v33, ptr addrspace(1) %v134
  br label %b62
b61:
  %v135 = landingpad { ptr, i32 } catch ptr null
  %v136 = call ptr addrspace(1) @caught()
  %v138 = and i64 %v33, 3
  %v137 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v138
  %v139 = call ptr addrspace(1) @swap(ptr %v137, ptr addrspace(1) %first)
  %v140 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 0, i64 1
  %v141 = atomicrmw xchg ptr addrspace(1) %v140, ptr addrspace(1) null seq_cst
  %v144 = load ptr addrspace(1), ptr addrspace(1) %v0
  %v146 = call ptr @smd.gc.pin(ptr addrspace(1) %v136)
  %v149 = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %v136)
  call void @collect()
  %v147 = getelementptr i8, ptr %v146, i64 24
  %v148 = load i64, ptr %v147
  call void @collect()
  store i64 %v33, ptr %v147
  call void @smd.gc.unpin(ptr %v146)
  %v150 = addrspacecast ptr addrspace(1) %v144 to ptr addrspace(3)
  %v153 = call ptr addrspace(1) @make(i64 %v45, ptr addrspace(1) %v136)
  %v154 = call ptr addrspace(1) @make(i64 %v148, ptr addrspace(1) %v136)
  %v151 = getelementptr i8, ptr addrspace(3) %v150, i64 80
  %v152 = load i64, ptr addrspace(3) %v151
  br label %b62
b62:
  %v155 = load i64, ptr %sum
  %v156 = mul i64 %v155, 31
  %v157 = xor i64 %v156, %n
  store i64 %v157, ptr %sum
  %v158 = load i64, ptr %sum
  %v159 = mul i64 %v158, 31
  %v160 = xor i64 %v159, %n
  store i64 %v160, ptr %sum
  %v161 = load i64, ptr %sum
  %v162 = mul i64 %v161, 31
  %v163 = xor i64 %v162, %v33
  store i64 %v163, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v0)
  call void @keep(i64 1, ptr addrspace(1) %first)
  %v164 = load i64, ptr %sum
  ret i64 %v164
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
