; random: target=aarch64-unknown-linux-gnu opt=1 poll=tls:poll_thread:8 safepoints=entry,backedge,postcall gc_registers=4 frame_pointer=non-leaf code_model=large remat=false elide=none split=functions
; compile: codegen_failed: LLVM ERROR: ELF TLS only supported in small memory model or in local exec TLS model (in the stage 'emit')
; seed 70038
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
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@code = global [3 x ptr] [ptr @f0, ptr @listed, ptr @reentered], align 16
@has_barriers = constant i8 1
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

define internal i64 @branched(i64 %n) alwaysinline gc "statepoint-example" {
  %odd = trunc i64 %n to i1
  br i1 %odd, label %yes, label %no
yes:
  call void @collect()
  ret i64 1
no:
  ret i64 0
}

define internal ptr addrspace(1) @late(ptr addrspace(1) %o, i64 %n) gc "statepoint-example" {
  %w = call i64 @branched(i64 %n)
  %slot = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %slot, ptr null)
  store ptr addrspace(1) %o, ptr %slot
  call void @collect()
  %v = load ptr addrspace(1), ptr %slot
  call void @llvm.gc.undeclare(ptr %slot)
  ret ptr addrspace(1) %v
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

define internal i64 @f0(ptr addrspace(1) %p0, { ptr addrspace(1), ptr } %p1, ptr addrspace(1) %p2, ptr addrspace(1) %p3, { ptr addrspace(1), ptr } %p4) nounwind gc "statepoint-example" {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %tagged.scoped = alloca i64
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
  ret i64 41
run:
  %v3 = call i64 @listed(ptr addrspace(1) %p0, i64 553)
  %v4 = icmp eq ptr addrspace(1) %p3, null
  %v5 = select i1 %v4, ptr addrspace(1) %p0, ptr addrspace(1) %p3
  %v6 = getelementptr %node, ptr addrspace(1) %v5, i64 0, i32 1, i64 0
  %v7 = getelementptr i8, ptr addrspace(1) %v5, i64 88
  %v10 = call i64 @smd.gc.to_int(ptr addrspace(1) %v5)
  %v11 = or i64 %v10, 4
  br label %b8
b8:
  %v12 = phi i64 [ %v11, %run ], [ %v11, %b25 ]
  %v13 = phi i64 [ %v3, %run ], [ 21845, %b25 ]
  %v14 = phi ptr addrspace(1) [ %v6, %run ], [ %v15, %b25 ]
  %v16 = icmp eq ptr addrspace(1) %v14, %v7
  br i1 %v16, label %b9, label %b17
b17:
  %v18 = load i64, ptr addrspace(1) %v14
  %v19 = load i64, ptr %sum
  %v20 = mul i64 %v19, 31
  %v21 = xor i64 %v20, %v18
  store i64 %v21, ptr %sum
  %v23 = getelementptr i8, ptr addrspace(1) %p0, i64 40
  %v22 = load i64, ptr addrspace(1) %v23
  br label %b24
b24:
  %v26 = phi { ptr addrspace(1), ptr } [ %p1, %b17 ], [ %p1, %b56 ]
  %v27 = load i64, ptr @fuel
  %v28 = sub i64 %v27, 1
  store i64 %v28, ptr @fuel
  %v29 = icmp slt i64 %v27, 1
  br i1 %v29, label %b25, label %b30
b30:
  %v31 = call ptr addrspace(1) @smd.gc.from_int(i64 %v11)
  %v32 = icmp ugt i64 %v3, %v3
  br i1 %v32, label %b36, label %b37
b36:
  %v33 = phi ptr addrspace(1) [ %v31, %b30 ], [ %p3, %b37 ]
  %v39 = extractvalue { ptr addrspace(1), ptr } %v26, 0
  %v40 = extractvalue { ptr addrspace(1), ptr } %v26, 1
  %v41 = call i64 %v40(ptr addrspace(1) %v39, i64 %v13)
  %v42 = load ptr addrspace(1), ptr addrspace(1) %v31
  call void @collect() [ "gc-live"(ptr addrspace(1) %v42, ptr addrspace(1) %v31) ]
  %v44 = load i64, ptr @fuel
  %v45 = sub i64 %v44, 1
  store i64 %v45, ptr @fuel
  %v46 = icmp slt i64 %v44, 1
  br i1 %v46, label %b38, label %b37
b37:
  %v34 = phi ptr addrspace(1) [ %v31, %b30 ], [ %p3, %b36 ]
  %v48 = and i64 %v13, 7
  %v49 = add i64 %v48, 1
  %v47 = alloca i64, i64 %v49, align 64
  store i64 %v13, ptr %v47
  %v50 = load i64, ptr @fuel
  %v51 = sub i64 %v50, 1
  store i64 %v51, ptr @fuel
  %v52 = icmp slt i64 %v50, 1
  br i1 %v52, label %b38, label %b36
b38:
  %v35 = phi ptr addrspace(1) [ %p3, %b36 ], [ %p3, %b37 ]
  %v53 = icmp eq ptr addrspace(1) %p2, null
  %v54 = select i1 %v53, ptr addrspace(1) %v31, ptr addrspace(1) %p2
  %v55 = getelementptr %node, ptr addrspace(1) %v54, i64 0, i32 0, i64 2
  store ptr addrspace(1) %p2, ptr addrspace(1) %v55
  br i1 %v32, label %b25, label %b56
b56:
  br label %b24
b25:
  %v57 = phi ptr addrspace(1) [ null, %b24 ], [ %v5, %b38 ]
  %v58 = phi i64 [ %v11, %b24 ], [ %v11, %b38 ]
  %v59 = phi ptr addrspace(1) [ %p2, %b24 ], [ %p2, %b38 ]
  %v61 = and i64 %v3, 7
  %v62 = add i64 %v61, 1
  %v60 = alloca i64, i64 %v62, align 32
  store i64 %v3, ptr %v60
  %v64 = getelementptr i8, ptr addrspace(1) %v5, i64 48
  %v63 = load i64, ptr addrspace(1) %v64
  %v15 = getelementptr i8, ptr addrspace(1) %v14, i64 8
  br label %b8
b9:
  %v65 = phi i64 [ %v3, %b8 ]
  %v66 = phi ptr addrspace(1) [ null, %b8 ]
  %v67 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %v5, ptr null, ptr null, i32 0, ptr null)
  %a70 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v66, ptr %a70
  %b70 = cmpxchg ptr %a70, ptr addrspace(1) %v66, ptr addrspace(1) %v66 seq_cst seq_cst
  %v69 = extractvalue { ptr addrspace(1), i1 } %b70, 0
  %a72 = insertvalue { i32, i64 } poison, i64 %v11, 1
  %v71 = extractvalue { i32, i64 } %a72, 1
  %a74 = insertvalue { i32, i64 } poison, i64 %v71, 1
  %v73 = extractvalue { i32, i64 } %a74, 1
  %v75 = extractvalue { ptr addrspace(1), ptr } %p1, 0
  %v76 = extractvalue { ptr addrspace(1), ptr } %p1, 1
  %v77 = call i64 %v76(ptr addrspace(1) %v75, i64 %v13)
  %v78 = icmp eq ptr addrspace(1) %v66, null
  %v79 = select i1 %v78, ptr addrspace(1) %v67, ptr addrspace(1) %v66
  %v80 = getelementptr %node, ptr addrspace(1) %v79, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v79, ptr addrspace(1) %v80
  %a82 = alloca ptr addrspace(1)
  store volatile ptr addrspace(1) %v79, ptr %a82
  %v81 = load volatile ptr addrspace(1), ptr %a82
  %v83 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v69)
  %v85 = call i64 @"same.i64"(i64 %v71)
  %v87 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %v79, ptr null, ptr null, i32 0, ptr null)
  %v89 = icmp eq ptr addrspace(1) %p3, null
  %v90 = select i1 %v89, ptr addrspace(1) %v67, ptr addrspace(1) %p3
  %v91 = getelementptr %node, ptr addrspace(1) %v90, i64 0, i32 0, i64 2
  %v93 = cmpxchg ptr addrspace(1) %v91, ptr addrspace(1) %v83, ptr addrspace(1) %v66 acq_rel monotonic
  %v92 = extractvalue { ptr addrspace(1), i1 } %v93, 0
  %v94 = extractvalue { ptr addrspace(1), i1 } %v93, 1
  %v95 = call ptr addrspace(1) @make(i64 %v77, ptr addrspace(1) %v92)
  br i1 %v94, label %b97, label %b98
b97:
  %v100 = call ptr addrspace(1) @make(i64 %v13, ptr addrspace(1) %v87)
  %v101 = extractvalue { ptr addrspace(1), ptr } %p1, 0
  %v102 = extractvalue { ptr addrspace(1), ptr } %p1, 1
  %v103 = call i64 %v102(ptr addrspace(1) %v101, i64 %v3)
  %v104 = freeze ptr addrspace(1) %p2
  %v105 = load ptr addrspace(1), ptr addrspace(1) %v5
  call void @llvm.gc.value.p1(ptr addrspace(1) %v105, ptr null)
  %v106 = call ptr addrspace(1) @make(i64 %v3, ptr addrspace(1) %v95)
  br label %b99
b98:
  %v107 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v90)
  %a110 = insertvalue { i32, ptr addrspace(1) } poison, ptr addrspace(1) %v5, 1
  %v109 = extractvalue { i32, ptr addrspace(1) } %a110, 1
  %v111 = select i1 true, ptr addrspace(1) %v5, ptr addrspace(1) %v5
  %v113 = call i64 @"same.i64"(i64 %v11)
  %v115 = extractvalue { ptr addrspace(1), ptr } %p1, 0
  %v116 = extractvalue { ptr addrspace(1), ptr } %p1, 1
  %v117 = call i64 %v116(ptr addrspace(1) %v115, i64 %v13)
  %v118 = icmp eq ptr addrspace(1) %v83, null
  %v119 = select i1 %v118, ptr addrspace(1) %v81, ptr addrspace(1) %v83
  %v120 = getelementptr %node, ptr addrspace(1) %v119, i64 0, i32 0, i64 2
  %v122 = cmpxchg ptr addrspace(1) %v120, ptr addrspace(1) %v79, ptr addrspace(1) null acq_rel monotonic
  %v121 = extractvalue { ptr addrspace(1), i1 } %v122, 0
  %v123 = extractvalue { ptr addrspace(1), i1 } %v122, 1
  br label %b99
b99:
  %v124 = phi ptr addrspace(1) [ %v83, %b97 ], [ %v121, %b98 ]
  %v125 = phi ptr addrspace(1) [ %p0, %b97 ], [ %v87, %b98 ]
  %v126 = icmp eq ptr addrspace(1) %p3, null
  %v127 = select i1 %v126, ptr addrspace(1) %v67, ptr addrspace(1) %p3
  %v128 = getelementptr %node, ptr addrspace(1) %v127, i64 0, i32 1, i64 3
  store i64 %v77, ptr addrspace(1) %v128
  store ptr addrspace(1) %v5, ptr addrspace(1) %v67
  %v131 = and i64 83, 1
  %v132 = getelementptr [2 x ptr], ptr @table, i64 0, i64 %v131
  %v133 = load ptr, ptr %v132
  %v130 = call i64 %v133(ptr addrspace(1) %v95, i64 83)
  %v134 = call ptr addrspace(1) asm sideeffect "", "=r,0"(ptr addrspace(1) %v125)
  %v135 = getelementptr %node, ptr addrspace(1) %v127, i64 0, i32 1, i64 0
  %v136 = load i64, ptr addrspace(1) %v135
  %v137 = load i64, ptr %sum
  %v138 = mul i64 %v137, 31
  %v139 = xor i64 %v138, %v136
  store i64 %v139, ptr %sum
  %v140 = load i64, ptr %sum
  %v141 = mul i64 %v140, 31
  %v142 = xor i64 %v141, %v13
  store i64 %v142, ptr %sum
  %v143 = zext i1 %v94 to i64
  %v144 = load i64, ptr %sum
  %v145 = mul i64 %v144, 31
  %v146 = xor i64 %v145, %v143
  store i64 %v146, ptr %sum
  %v147 = load i64, ptr %sum
  ret i64 %v147
}

define i64 @listed(ptr addrspace(1) %p0, i64 %p1) gc "statepoint-example" {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %tagged.scoped = alloca i64
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
  %v3 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v4 = load [2 x ptr], ptr %v3
  %v5 = extractvalue [2 x ptr] %v4, 0
  %v6 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %p0, 0
  %v7 = insertvalue { ptr addrspace(1), ptr } %v6, ptr %v5, 1
  store { ptr addrspace(1), ptr } %v7, ptr %closure
  call void @collect()
  %v8 = load { ptr addrspace(1), ptr }, ptr %closure
  %v9 = icmp ult i64 %p1, 280
  br i1 %v9, label %b13, label %b14
b13:
  %v10 = phi ptr addrspace(1) [ %p0, %run ], [ %v32, %b41 ]
  call void @collect() [ "gc-live"(ptr addrspace(1) %v10, ptr addrspace(1) %v10) ]
  %v16 = alloca [4 x i64], align 8
  call void @llvm.memset.p0.i64(ptr %v16, i8 44, i64 32, i1 false)
  store i64 %p1, ptr %v16
  %v17 = select i1 %v9, i64 %p1, i64 83
  %v18 = call i64 @reentered(ptr addrspace(1) %p0, i64 %v17)
  %v19 = zext i1 %v9 to i64
  %v20 = load i64, ptr %sum
  %v21 = mul i64 %v20, 31
  %v22 = xor i64 %v21, %v19
  store i64 %v22, ptr %sum
  %v23 = load i64, ptr @fuel
  %v24 = sub i64 %v23, 1
  store i64 %v24, ptr @fuel
  %v25 = icmp slt i64 %v23, 1
  br i1 %v25, label %b15, label %b14
b14:
  %v11 = phi ptr addrspace(1) [ %p0, %run ], [ %v10, %b13 ]
  %a27 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v11, ptr %a27
  %b27 = cmpxchg ptr %a27, ptr addrspace(1) %v11, ptr addrspace(1) %v11 seq_cst seq_cst
  %v26 = extractvalue { ptr addrspace(1), i1 } %b27, 0
  %v28 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v29 = or i64 %v28, 7
  %v30 = freeze i64 %v29
  %a33 = insertvalue { i32, ptr addrspace(1) } poison, ptr addrspace(1) %p0, 1
  %v32 = extractvalue { i32, ptr addrspace(1) } %a33, 1
  %v34 = freeze i64 %v29
  %v36 = and i64 %p1, 3
  switch i64 %v36, label %b37 [ i64 1, label %b38 i64 2, label %b39 i64 3, label %b40 ]
b37:
  br label %b42
b42:
  %v44 = phi i64 [ %v29, %b37 ], [ %v29, %b48 ]
  %v45 = load i64, ptr @fuel
  %v46 = sub i64 %v45, 1
  store i64 %v46, ptr @fuel
  %v47 = icmp slt i64 %v45, 1
  br i1 %v47, label %b43, label %b48
b48:
  %v49 = select i1 %v9, { ptr addrspace(1), ptr } %v7, { ptr addrspace(1), ptr } %v7
  %v50 = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(ptr addrspace(1) (i64, i64)) @allocate, i32 2, i32 0, i64 88, i64 3, i32 0, i32 0)
  %v51 = call ptr addrspace(1) @llvm.experimental.gc.result.p1(token %v50)
  %v52 = getelementptr %node, ptr addrspace(1) %v51, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v51, ptr addrspace(1) %v51
  store i64 %p1, ptr addrspace(1) %v52
  %v53 = icmp eq ptr addrspace(1) %v11, null
  %v54 = select i1 %v53, ptr addrspace(1) %v32, ptr addrspace(1) %v11
  %v55 = getelementptr %node, ptr addrspace(1) %v54, i64 0, i32 0, i64 1
  %v56 = atomicrmw xchg ptr addrspace(1) %v55, ptr addrspace(1) %v11 seq_cst
  br label %b42
b43:
  %v59 = phi i64 [ %p1, %b42 ]
  %v60 = phi ptr addrspace(1) [ %p0, %b42 ]
  %v61 = call ptr addrspace(1) @smd.gc.from_int(i64 %v44)
  %v62 = getelementptr %node, ptr addrspace(1) %v61, i64 0, i32 1, i64 0
  %v63 = load i64, ptr addrspace(1) %v62
  %v64 = load i64, ptr %sum
  %v65 = mul i64 %v64, 31
  %v66 = xor i64 %v65, %v63
  store i64 %v66, ptr %sum
  br label %b41
b38:
  %v67 = icmp eq ptr addrspace(1) %v11, null
  %v68 = select i1 %v67, ptr addrspace(1) %p0, ptr addrspace(1) %v11
  store ptr addrspace(1) %v32, ptr addrspace(1) %v68
  %v70 = freeze i64 %v34
  %v72 = freeze i64 %v29
  %v74 = select i1 true, i64 %v29, i64 %v29
  %v76 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %p0, i64 -8)
  %v78 = select i1 %v9, ptr addrspace(1) %v11, ptr addrspace(1) %v11
  br label %b41
b39:
  %v79 = select i1 true, ptr addrspace(1) %v11, ptr addrspace(1) %v11
  %v81 = select i1 true, ptr addrspace(1) %v26, ptr addrspace(1) %v26
  %v83 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v32)
  %a86 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v81, ptr %a86
  %b86 = cmpxchg ptr %a86, ptr addrspace(1) %v81, ptr addrspace(1) %v81 seq_cst seq_cst
  %v85 = extractvalue { ptr addrspace(1), i1 } %b86, 0
  br label %b41
b40:
  br label %b87
b87:
  %v89 = phi { ptr addrspace(1), ptr } [ %v7, %b40 ], [ %v89, %b108 ]
  %v90 = phi ptr addrspace(1) [ %p0, %b40 ], [ %v32, %b108 ]
  %v91 = phi i64 [ %v29, %b40 ], [ %v110, %b108 ]
  %v92 = load i64, ptr @fuel
  %v93 = sub i64 %v92, 1
  store i64 %v93, ptr @fuel
  %v94 = icmp slt i64 %v92, 1
  br i1 %v94, label %b88, label %b95
b95:
  call void @llvm.gc.declare(ptr %scoped0, ptr null)
  %v97 = getelementptr i8, ptr %scoped0, i64 0
  store ptr addrspace(1) %v90, ptr %v97
  %v98 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v11)
  %v96 = load ptr addrspace(1), ptr %v97
  call void @llvm.gc.undeclare(ptr %scoped0)
  %v99 = getelementptr %node, ptr addrspace(1) %v32, i64 0, i32 0, i64 1
  store ptr addrspace(1) null, ptr addrspace(1) %v99
  %v100 = call i64 @"same.i64"(i64 %v29)
  %v102 = call i64 @"same.i64"(i64 %v29)
  %v104 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %p0, i64 -8)
  %a107 = alloca ptr addrspace(1)
  store volatile ptr addrspace(1) %v90, ptr %a107
  %v106 = load volatile ptr addrspace(1), ptr %a107
  br i1 %v9, label %b88, label %b108
b108:
  %v109 = call i64 @smd.gc.to_int(ptr addrspace(1) %v104)
  %v110 = or i64 %v109, 2
  br label %b87
b88:
  %v111 = phi ptr addrspace(1) [ %p0, %b87 ], [ %v90, %b95 ]
  %v112 = phi i64 [ %p1, %b87 ], [ %p1, %b95 ]
  %v113 = phi i64 [ %v30, %b87 ], [ %v29, %b95 ]
  %v114 = getelementptr { i64, [2 x double], ptr }, ptr %tagged.frame, i64 0, i32 1, i64 1
  store i64 %v34, ptr %v114
  call void @collect()
  %v117 = load double, ptr %v114
  %v116 = bitcast double %v117 to i64
  %v118 = call i64 @f0(ptr addrspace(1) %v32, { ptr addrspace(1), ptr } %v89, ptr addrspace(1) %v32, ptr addrspace(1) %v90, { ptr addrspace(1), ptr } %v7)
  br label %b41
b41:
  %v119 = phi ptr addrspace(1) [ %v26, %b43 ], [ %v68, %b38 ], [ %v32, %b39 ], [ %p0, %b88 ]
  %v120 = phi { ptr addrspace(1), ptr } [ %v7, %b43 ], [ %v7, %b38 ], [ %v7, %b39 ], [ %v7, %b88 ]
  %v121 = select i1 %v9, i64 %v29, i64 %v29
  %v122 = load i64, ptr @fuel
  %v123 = sub i64 %v122, 1
  store i64 %v123, ptr @fuel
  %v124 = icmp slt i64 %v122, 1
  br i1 %v124, label %b15, label %b13
b15:
  %v12 = phi ptr addrspace(1) [ %v10, %b13 ], [ %v32, %b41 ]
  %v125 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v126 = or i64 %v125, 1
  %v127 = select i1 %v9, i64 %v126, i64 %v126
  %v128 = call ptr addrspace(1) @crowded(i64 %p1, i64 1, i64 %p1, i64 3, i64 4, i64 5, i64 6, i64 7, ptr addrspace(1) %p0)
  call void @collect() [ "gc-live"(ptr addrspace(1) %v128, ptr addrspace(1) %v12) ]
  %v129 = icmp eq ptr addrspace(1) %v12, null
  %v130 = select i1 %v129, ptr addrspace(1) %v128, ptr addrspace(1) %v12
  %v131 = getelementptr i8, ptr addrspace(1) %v130, i64 24
  %v132 = load i64, ptr addrspace(1) %v131
  %v133 = load i64, ptr %sum
  %v134 = mul i64 %v133, 31
  %v135 = xor i64 %v134, %v132
  store i64 %v135, ptr %sum
  %v136 = extractvalue { ptr addrspace(1), ptr } %v8, 0
  %v137 = getelementptr %node, ptr addrspace(1) %v136, i64 0, i32 1, i64 0
  %v138 = load i64, ptr addrspace(1) %v137
  %v139 = load i64, ptr %sum
  %v140 = mul i64 %v139, 31
  %v141 = xor i64 %v140, %v138
  store i64 %v141, ptr %sum
  %v142 = extractvalue { ptr addrspace(1), ptr } %v8, 0
  %v143 = getelementptr %node, ptr addrspace(1) %v142, i64 0, i32 1, i64 0
  %v144 = load i64, ptr addrspace(1) %v143
  %v145 = load i64, ptr %sum
  %v146 = mul i64 %v145, 31
  %v147 = xor i64 %v146, %v144
  store i64 %v147, ptr %sum
  %v148 = extractvalue { ptr addrspace(1), ptr } %v7, 0
  %v149 = extractvalue { ptr addrspace(1), ptr } %v7, 1
  %v150 = musttail call i64 %v149(ptr addrspace(1) %v148, i64 %p1)
  ret i64 %v150
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) nounwind gc "statepoint-example" {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %tagged.scoped = alloca i64
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
  call void @llvm.gc.declare(ptr %scoped0, ptr inttoptr (i64 7 to ptr))
  %v4 = getelementptr i8, ptr %scoped0, i64 0
  store ptr addrspace(1) %p0, ptr %v4
  call void @collect()
  %v3 = load ptr addrspace(1), ptr %v4
  call void @llvm.gc.undeclare(ptr %scoped0)
  call void @note(i64 %p1)
  %v5 = alloca [4 x i64], align 8
  call void @llvm.memset.p0.i64(ptr %v5, i8 182, i64 32, i1 false)
  store i64 %p1, ptr %v5
  call void @note(i64 %p1)
  %v6 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v7 = load [2 x ptr], ptr %v6
  %v8 = extractvalue [2 x ptr] %v7, 1
  %v9 = call i64 %v8(ptr addrspace(1) %v3, i64 %p1)
  %v10 = freeze ptr addrspace(1) %p0
  %v12 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v3)
  %v14 = call i64 @smd.gc.to_int(ptr addrspace(1) %v12)
  %v15 = or i64 %v14, 0
  %a17 = insertvalue { i32, i64 } poison, i64 %v15, 1
  %v16 = extractvalue { i32, i64 } %a17, 1
  %v18 = freeze ptr addrspace(1) null
  %v20 = call ptr addrspace(1) @make(i64 %v9, ptr addrspace(1) %p0)
  %v21 = getelementptr %node, ptr addrspace(1) %v12, i64 0, i32 1, i64 0
  %v22 = getelementptr i8, ptr addrspace(1) %v12, i64 88
  %v25 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v26 = getelementptr ptr, ptr %v25, i64 1
  %v27 = load ptr, ptr %v26
  %v28 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v10, 0
  %v29 = insertvalue { ptr addrspace(1), ptr } %v28, ptr %v27, 1
  br label %b23
b23:
  %v30 = phi { ptr addrspace(1), ptr } [ %v29, %run ], [ %v30, %b35 ]
  %v31 = phi i64 [ %v9, %run ], [ %p1, %b35 ]
  %v32 = phi ptr addrspace(1) [ %v21, %run ], [ %v33, %b35 ]
  %v34 = icmp eq ptr addrspace(1) %v32, %v22
  br i1 %v34, label %b24, label %b35
b35:
  %v36 = load i64, ptr addrspace(1) %v32
  %v37 = load i64, ptr %sum
  %v38 = mul i64 %v37, 31
  %v39 = xor i64 %v38, %v36
  store i64 %v39, ptr %sum
  %v40 = call i64 @touch(ptr %v5, i64 4, i64 8)
  %v41 = load ptr addrspace(1), ptr addrspace(1) %v10
  %v43 = call i64 @touch(ptr %v5, i64 4, i64 8)
  %v44 = call ptr addrspace(1) @allocate(i64 96, i64 3)
  %v45 = getelementptr i8, ptr addrspace(1) %v44, i64 24
  store ptr addrspace(1) %v44, ptr addrspace(1) %v44
  store i64 %v31, ptr addrspace(1) %v45
  %v46 = icmp eq ptr addrspace(1) %v18, null
  %v47 = select i1 %v46, ptr addrspace(1) %v41, ptr addrspace(1) %v18
  %v48 = getelementptr i8, ptr addrspace(1) %v47, i64 24
  %v49 = load i64, ptr addrspace(1) %v48
  %v50 = load i64, ptr %sum
  %v51 = mul i64 %v50, 31
  %v52 = xor i64 %v51, %v49
  store i64 %v52, ptr %sum
  %v33 = getelementptr i8, ptr addrspace(1) %v32, i64 8
  br label %b23
b24:
  %v53 = phi { ptr addrspace(1), ptr } [ %v30, %b23 ]
  %v54 = phi ptr addrspace(1) [ %v20, %b23 ]
  %v55 = freeze ptr addrspace(1) %v10
  %v56 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v59 = icmp sge i64 %p1, %v31
  %v57 = getelementptr ptr, ptr %v56, i64 0
  %v60 = load ptr, ptr %v57
  %v58 = select i1 %v59, ptr %v60, ptr @listed
  %v61 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %v20, 0
  %v62 = insertvalue { ptr addrspace(1), ptr } %v61, ptr %v58, 1
  %v63 = getelementptr [3 x ptr], ptr @code, i64 0, i64 0
  %v64 = load <2 x ptr>, ptr %v63, align 8
  %v65 = extractelement <2 x ptr> %v64, i32 0
  %v67 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %v54, ptr %v65)
  %v68 = extractvalue { ptr addrspace(1), ptr } %v67, 1
  %v69 = call i64 %v68(ptr addrspace(1) %p0, { ptr addrspace(1), ptr } %v29, ptr addrspace(1) %v10, ptr addrspace(1) %v18, { ptr addrspace(1), ptr } %v62)
  %v70 = icmp eq ptr addrspace(1) %v18, null
  %v71 = select i1 %v70, ptr addrspace(1) %v54, ptr addrspace(1) %v18
  %v72 = getelementptr %node, ptr addrspace(1) %v71, i64 0, i32 1, i64 0
  %v73 = load i64, ptr addrspace(1) %v72
  %v74 = load i64, ptr %sum
  %v75 = mul i64 %v74, 31
  %v76 = xor i64 %v75, %v73
  store i64 %v76, ptr %sum
  %v77 = getelementptr i8, ptr addrspace(1) %v10, i64 24
  %v78 = load i64, ptr addrspace(1) %v77
  %v79 = load i64, ptr %sum
  %v80 = mul i64 %v79, 31
  %v81 = xor i64 %v80, %v78
  store i64 %v81, ptr %sum
  %v82 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v83 = load i64, ptr addrspace(1) %v82
  %v84 = load i64, ptr %sum
  %v85 = mul i64 %v84, 31
  %v86 = xor i64 %v85, %v83
  store i64 %v86, ptr %sum
  %v87 = load i64, ptr %sum
  ret i64 %v87
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %tagged.scoped = alloca i64
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 88, i64 3)
  %v1 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  store ptr addrspace(1) %v0, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 21, ptr @fuel
  %v2 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v3 = getelementptr ptr, ptr %v2, i64 1
  %v4 = load ptr, ptr %v3
  %v5 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v0, 0
  %v6 = insertvalue { ptr addrspace(1), ptr } %v5, ptr %v4, 1
  %v7 = call i64 @f0(ptr addrspace(1) %v0, { ptr addrspace(1), ptr } %v6, ptr addrspace(1) %v0, ptr addrspace(1) %first, { ptr addrspace(1), ptr } %v6)
  %v8 = load i64, ptr %sum
  %v9 = mul i64 %v8, 31
  %v10 = xor i64 %v9, %v7
  store i64 %v10, ptr %sum
  %v11 = extractvalue { ptr addrspace(1), ptr } %v6, 0
  %v12 = getelementptr %node, ptr addrspace(1) %v11, i64 0, i32 1, i64 0
  %v13 = load i64, ptr addrspace(1) %v12
  %v14 = load i64, ptr %sum
  %v15 = mul i64 %v14, 31
  %v16 = xor i64 %v15, %v13
  store i64 %v16, ptr %sum
  %v17 = load i64, ptr %sum
  %v18 = mul i64 %v17, 31
  %v19 = xor i64 %v18, %n
  store i64 %v19, ptr %sum
  %v20 = extractvalue { ptr addrspace(1), ptr } %v6, 0
  %v21 = getelementptr i8, ptr addrspace(1) %v20, i64 24
  %v22 = load i64, ptr addrspace(1) %v21
  %v23 = load i64, ptr %sum
  %v24 = mul i64 %v23, 31
  %v25 = xor i64 %v24, %v22
  store i64 %v25, ptr %sum
  store i64 11, ptr @fuel
  %v26 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v29 = icmp sge i64 %n, 864
  %v27 = getelementptr ptr, ptr %v26, i64 0
  %v30 = load ptr, ptr %v27
  %v28 = select i1 %v29, ptr %v30, ptr @listed
  %v31 = call i64 %v28(ptr addrspace(1) %v0, i64 166)
  %v32 = load i64, ptr %sum
  %v33 = mul i64 %v32, 31
  %v34 = xor i64 %v33, %v31
  store i64 %v34, ptr %sum
  %v35 = call i64 @smd.gc.to_int(ptr addrspace(1) %first)
  %v36 = or i64 %v35, 4
  %v37 = call ptr addrspace(1) @smd.gc.from_int(i64 %v36)
  %v38 = alloca [2 x i64], align 128
  call void @llvm.memset.p0.i64(ptr %v38, i8 183, i64 16, i1 false)
  store i64 %n, ptr %v38
  %v39 = call ptr addrspace(1) @smd.gc.from_int(i64 %v36)
  %v40 = getelementptr %node, ptr addrspace(1) %v39, i64 0, i32 1, i64 0
  %v41 = load i64, ptr addrspace(1) %v40
  %v42 = load i64, ptr %sum
  %v43 = mul i64 %v42, 31
  %v44 = xor i64 %v43, %v41
  store i64 %v44, ptr %sum
  %v45 = load i64, ptr %sum
  %v46 = mul i64 %v45, 31
  %v47 = xor i64 %v46, %v31
  store i64 %v47, ptr %sum
  %v48 = zext i1 %v29 to i64
  %v49 = load i64, ptr %sum
  %v50 = mul i64 %v49, 31
  %v51 = xor i64 %v50, %v48
  store i64 %v51, ptr %sum
  store i64 16, ptr @fuel
  %v52 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v53 = load [2 x ptr], ptr %v52
  %v54 = extractvalue [2 x ptr] %v53, 1
  %v55 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %v37, 0
  %v56 = insertvalue { ptr addrspace(1), ptr } %v55, ptr %v54, 1
  %v57 = extractvalue { ptr addrspace(1), ptr } %v56, 1
  %v58 = call i64 %v57(ptr addrspace(1) %first, i64 %n)
  %v59 = load i64, ptr %sum
  %v60 = mul i64 %v59, 31
  %v61 = xor i64 %v60, %v58
  store i64 %v61, ptr %sum
  %v62 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  %v63 = load i64, ptr addrspace(1) %v62
  %v64 = load i64, ptr %sum
  %v65 = mul i64 %v64, 31
  %v66 = xor i64 %v65, %v63
  store i64 %v66, ptr %sum
  %v67 = getelementptr %node, ptr addrspace(1) %v37, i64 0, i32 1, i64 0
  %v68 = load i64, ptr addrspace(1) %v67
  %v69 = load i64, ptr %sum
  %v70 = mul i64 %v69, 31
  %v71 = xor i64 %v70, %v68
  store i64 %v71, ptr %sum
  %v72 = getelementptr i8, ptr addrspace(1) %v37, i64 24
  %v73 = load i64, ptr addrspace(1) %v72
  %v74 = load i64, ptr %sum
  %v75 = mul i64 %v74, 31
  %v76 = xor i64 %v75, %v73
  store i64 %v76, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v0)
  call void @keep(i64 1, ptr addrspace(1) %first)
  %v77 = load i64, ptr %sum
  ret i64 %v77
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
