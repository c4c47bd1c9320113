; random: target=aarch64-unknown-linux-gnu opt=0 poll=tls:poll_thread:8 safepoints=postcall frame_pointer=all code_model=large split_backedges=true stackmap_format=compact elide=leaf split=functions
; compile: codegen_failed: LLVM ERROR: ELF TLS only supported in small memory model or in local exec TLS model (in the stage 'emit')
; seed 70034
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
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)
@united = external global [4 x { i64, i64 }]
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

define internal <2 x ptr addrspace(1)> @f0(ptr addrspace(1) nonnull %p0) nounwind noinline optnone "frame-pointer"="non-leaf" "smd-safepoints"="backedge" gc "statepoint-example" {
entry:
  %sum = alloca i64
  store i64 0, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret <2 x ptr addrspace(1)> zeroinitializer
run:
  call void @note(i64 432)
  %v3 = and i64 361, 3
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
  %v12 = icmp uge i64 %v11, 2
  br i1 %v12, label %b21, label %b17
b21:
  %v24 = and i64 %v13, 15
  %v23 = lshr i64 %v13, %v24
  %v25 = load i64, ptr %sum
  %v26 = mul i64 %v25, 31
  %v27 = xor i64 %v26, %v13
  store i64 %v27, ptr %sum
  %v28 = load i64, ptr %sum
  %v29 = mul i64 %v28, 31
  %v30 = xor i64 %v29, %v23
  store i64 %v30, ptr %sum
  %v31 = load i64, ptr %sum
  %v32 = mul i64 %v31, 31
  %v33 = xor i64 %v32, %v23
  store i64 %v33, ptr %sum
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %v23
  store i64 %v36, ptr %sum
  %v37 = getelementptr inbounds %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v38 = load i64, ptr addrspace(1) %v37
  %v39 = load i64, ptr %sum
  %v40 = mul i64 %v39, 31
  %v41 = xor i64 %v40, %v38
  store i64 %v41, ptr %sum
  %v42 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v43 = load i64, ptr addrspace(1) %v42
  %v44 = load i64, ptr %sum
  %v45 = mul i64 %v44, 31
  %v46 = xor i64 %v45, %v43
  store i64 %v46, ptr %sum
  %v47 = load i64, ptr %sum
  call void @note(i64 %v47)
  %v48 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %p0, i32 0
  %v49 = insertelement <2 x ptr addrspace(1)> %v48, ptr addrspace(1) %p0, i32 1
  ret <2 x ptr addrspace(1)> %v49
}

define i64 @listed(ptr addrspace(1) dereferenceable(88) %p0, i64 %p1) nounwind uwtable "frame-pointer"="non-leaf" "smd-safepoints"="backedge" gc "statepoint-example" {
entry:
  %sum = alloca i64
  store i64 1, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v4 = getelementptr i8, ptr addrspace(1) %v3, i64 0
  %v5 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v4, i64 -8)
  %v6 = and i64 212, 3
  %v7 = add i64 %v6, 1
  %v8 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 %v7
  %v9 = load ptr addrspace(1), ptr addrspace(1) %p0
  %v10 = call ptr @smd.gc.pin(ptr addrspace(1) %v9)
  %v13 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %p0)
  %v11 = getelementptr i8, ptr %v10, i64 24
  %v12 = load i64, ptr %v11
  store i64 %p1, ptr %v11
  call void @smd.gc.unpin(ptr %v10)
  call void @note(i64 %v12)
  %v14 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v13, i64 -8)
  %v16 = call ptr addrspace(1) @"same.ptr addrspace(1)"(ptr addrspace(1) %v13)
  %v18 = freeze ptr addrspace(1) %v13
  %v20 = freeze ptr addrspace(1) %v16
  %v23 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v16, i32 0
  %v24 = insertelement <2 x ptr addrspace(1)> %v23, ptr addrspace(1) %v14, i32 1
  %v22 = getelementptr i8, <2 x ptr addrspace(1)> %v24, <2 x i64> <i64 72, i64 40>
  %v25 = call <2 x i64> @llvm.masked.gather.v2i64.v2p1(<2 x ptr addrspace(1)> %v22, i32 8, <2 x i1> <i1 true, i1 true>, <2 x i64> zeroinitializer)
  %v26 = extractelement <2 x i64> %v25, i32 0
  %a28 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v3, i32 1
  %b28 = shufflevector <2 x ptr addrspace(1)> %a28, <2 x ptr addrspace(1)> poison, <2 x i32> <i32 1, i32 1>
  %v27 = extractelement <2 x ptr addrspace(1)> %b28, i32 0
  %v29 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v13)
  %v31 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v27, i64 -8)
  %v33 = select i1 true, ptr addrspace(1) %v3, ptr addrspace(1) %v3
  %v35 = load i64, ptr %sum
  %v36 = mul i64 %v35, 31
  %v37 = xor i64 %v36, %v26
  store i64 %v37, ptr %sum
  %v38 = getelementptr inbounds i8, ptr addrspace(1) %v13, i64 24
  %v39 = load i64, ptr addrspace(1) %v38
  %v40 = load i64, ptr %sum
  %v41 = mul i64 %v40, 31
  %v42 = xor i64 %v41, %v39
  store i64 %v42, ptr %sum
  %v43 = load i64, ptr %sum
  %v44 = mul i64 %v43, 31
  %v45 = xor i64 %v44, %v12
  store i64 %v45, ptr %sum
  %v46 = load i64, ptr %sum
  ret i64 %v46
}

define i64 @reentered(ptr addrspace(1) nonnull %p0, i64 %p1) nounwind "smd-safepoints"="none" gc "statepoint-example" {
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
  call void @collect()
  %v3 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v4 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v3)
  %a7 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v3, i32 1
  %v6 = extractelement <2 x ptr addrspace(1)> %a7, i32 1
  %a9 = alloca ptr addrspace(1)
  store ptr addrspace(1) %p0, ptr %a9
  %b9 = cmpxchg ptr %a9, ptr addrspace(1) %p0, ptr addrspace(1) %p0 seq_cst seq_cst
  %v8 = extractvalue { ptr addrspace(1), i1 } %b9, 0
  %a11 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %p0, i32 1
  %b11 = shufflevector <2 x ptr addrspace(1)> %a11, <2 x ptr addrspace(1)> poison, <2 x i32> <i32 1, i32 1>
  %v10 = extractelement <2 x ptr addrspace(1)> %b11, i32 0
  %v12 = getelementptr %node, ptr addrspace(1) %v8, i64 0, i32 0, i64 2
  store ptr addrspace(1) %v8, ptr addrspace(1) %v12
  %v13 = and i64 %p1, 3
  %v14 = add i64 %v13, 4
  %v15 = getelementptr inbounds %node, ptr addrspace(1) %v8, i64 0, i32 1, i64 %v14
  %v16 = addrspacecast ptr addrspace(1) %v8 to ptr addrspace(3)
  %v17 = icmp eq ptr addrspace(3) %v16, %v16
  %v18 = addrspacecast ptr addrspace(3) %v16 to ptr addrspace(1)
  %v19 = and i64 %p1, 3
  %v20 = add i64 %v19, 1
  %v21 = getelementptr inbounds %node, ptr addrspace(1) %v8, i64 0, i32 1, i64 %v20
  %v22 = getelementptr inbounds %node, ptr addrspace(1) %v18, i64 0, i32 1, i64 6
  %v23 = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(ptr addrspace(1) (i64, i64)) @allocate, i32 2, i32 0, i64 88, i64 3, i32 0, i32 0)
  %v24 = call ptr addrspace(1) @llvm.experimental.gc.result.p1(token %v23)
  %v25 = getelementptr i8, ptr addrspace(1) %v24, i64 24
  store ptr addrspace(1) %v8, ptr addrspace(1) %v24
  store i64 %p1, ptr addrspace(1) %v25
  %v26 = and i64 %p1, 3
  %v27 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v26, i32 0
  %v28 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v26, i32 1
  br label %b40
b40:
  %v33 = phi i64 [ 0, %run ], [ %v34, %b43 ]
  %v37 = phi i64 [ 0, %run ], [ %v36, %b43 ]
  %v29 = load i64, ptr %v27
  %v30 = icmp eq i64 %v29, 1
  br i1 %v30, label %b41, label %b42
b41:
  %v31 = load ptr addrspace(1), ptr %v28
  %v39 = getelementptr i8, ptr addrspace(1) %v31, i64 24
  %v38 = load i64, ptr addrspace(1) %v39
  br label %b43
b42:
  %v32 = load i64, ptr %v28
  br label %b43
b43:
  %v45 = phi i64 [ %v38, %b41 ], [ %v32, %b42 ]
  %v36 = add i64 %v37, %v45
  %v34 = add i64 %v33, 1
  %v35 = icmp uge i64 %v34, 4
  br i1 %v35, label %b44, label %b40
b44:
  %v46 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v22)
  %v48 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %v6, ptr null, ptr null, i32 0, ptr null)
  %a51 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %p0, i32 1
  %b51 = shufflevector <2 x ptr addrspace(1)> %a51, <2 x ptr addrspace(1)> poison, <2 x i32> <i32 1, i32 1>
  %v50 = extractelement <2 x ptr addrspace(1)> %b51, i32 0
  %v52 = select i1 true, ptr addrspace(1) %v8, ptr addrspace(1) %v8
  %v54 = freeze ptr addrspace(1) %v22
  %a57 = alloca ptr addrspace(1)
  store volatile ptr addrspace(1) %v8, ptr %a57
  %v56 = load volatile ptr addrspace(1), ptr %a57
  %v58 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v8)
  %v60 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v18, i64 -8)
  %v62 = addrspacecast ptr addrspace(1) %v24 to ptr addrspace(3)
  call void @collect()
  call void @collect()
  %v63 = load i64, ptr addrspace(1) %v54
  %v64 = load i64, ptr %sum
  %v65 = mul i64 %v64, 31
  %v66 = xor i64 %v65, %v63
  store i64 %v66, ptr %sum
  %v67 = getelementptr i8, ptr addrspace(1) %v58, i64 24
  %v68 = load i64, ptr addrspace(1) %v67
  %v69 = load i64, ptr %sum
  %v70 = mul i64 %v69, 31
  %v71 = xor i64 %v70, %v68
  store i64 %v71, ptr %sum
  %v72 = getelementptr inbounds i8, ptr addrspace(1) %v58, i64 24
  %v73 = load i64, ptr addrspace(1) %v72
  %v74 = load i64, ptr %sum
  %v75 = mul i64 %v74, 31
  %v76 = xor i64 %v75, %v73
  store i64 %v76, ptr %sum
  %v77 = load i64, ptr %sum
  ret i64 %v77
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %sum = alloca i64
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 96, i64 3)
  %v1 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  store ptr addrspace(1) %first, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 9, ptr @fuel
  %v2 = call <2 x ptr addrspace(1)> @f0(ptr addrspace(1) %v0)
  %v3 = extractelement <2 x ptr addrspace(1)> %v2, i32 0
  %v4 = icmp eq ptr addrspace(1) %v3, null
  %v5 = select i1 %v4, ptr addrspace(1) %v0, ptr addrspace(1) %v3
  %v6 = getelementptr %node, ptr addrspace(1) %v5, i64 0, i32 1, i64 0
  %v7 = load i64, ptr addrspace(1) %v6
  %v8 = load i64, ptr %sum
  %v9 = mul i64 %v8, 31
  %v10 = xor i64 %v9, %v7
  store i64 %v10, ptr %sum
  %v11 = extractelement <2 x ptr addrspace(1)> %v2, i32 1
  %v12 = icmp eq ptr addrspace(1) %v11, null
  %v13 = select i1 %v12, ptr addrspace(1) %v0, ptr addrspace(1) %v11
  %v14 = getelementptr i8, ptr addrspace(1) %v13, i64 24
  %v15 = load i64, ptr addrspace(1) %v14
  %v16 = load i64, ptr %sum
  %v17 = mul i64 %v16, 31
  %v18 = xor i64 %v17, %v15
  store i64 %v18, ptr %sum
  %a20 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v0, ptr %a20
  %v19 = atomicrmw xchg ptr %a20, ptr addrspace(1) %v0 seq_cst
  %v21 = getelementptr inbounds %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v22 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v21)
  %v24 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v19)
  %a27 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v21, i32 1
  %v26 = extractelement <2 x ptr addrspace(1)> %a27, i32 1
  %v28 = addrspacecast ptr addrspace(1) %v24 to ptr addrspace(3)
  %v29 = getelementptr i8, ptr addrspace(3) %v28, i64 72
  store i64 %n, ptr addrspace(3) %v29
  %v30 = load i64, ptr addrspace(3) %v29
  %v31 = getelementptr inbounds %node, ptr addrspace(1) %v13, i64 0, i32 1, i64 0
  %v32 = load i64, ptr addrspace(1) %v31
  %v33 = load i64, ptr %sum
  %v34 = mul i64 %v33, 31
  %v35 = xor i64 %v34, %v32
  store i64 %v35, ptr %sum
  %v36 = getelementptr inbounds %node, ptr addrspace(1) %v13, i64 0, i32 1, i64 0
  %v37 = load i64, ptr addrspace(1) %v36
  %v38 = load i64, ptr %sum
  %v39 = mul i64 %v38, 31
  %v40 = xor i64 %v39, %v37
  store i64 %v40, ptr %sum
  %v41 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v42 = load i64, ptr addrspace(1) %v41
  %v43 = load i64, ptr %sum
  %v44 = mul i64 %v43, 31
  %v45 = xor i64 %v44, %v42
  store i64 %v45, ptr %sum
  store i64 8, ptr @fuel
  %v46 = call i64 @listed(ptr addrspace(1) %v24, i64 %v30)
  %v47 = load i64, ptr %sum
  %v48 = mul i64 %v47, 31
  %v49 = xor i64 %v48, %v46
  store i64 %v49, ptr %sum
  %v50 = mul i64 %v30, %n
  call void @collect()
  %v51 = getelementptr inbounds %node, ptr addrspace(1) %v13, i64 0, i32 1, i64 0
  %v52 = load i64, ptr addrspace(1) %v51
  %v53 = load i64, ptr %sum
  %v54 = mul i64 %v53, 31
  %v55 = xor i64 %v54, %v52
  store i64 %v55, ptr %sum
  %v56 = load i64, ptr %sum
  %v57 = mul i64 %v56, 31
  %v58 = xor i64 %v57, %v46
  store i64 %v58, ptr %sum
  %v59 = addrspacecast ptr addrspace(3) %v28 to ptr addrspace(1)
  %v60 = getelementptr inbounds %node, ptr addrspace(1) %v59, i64 0, i32 1, i64 0
  %v61 = load i64, ptr addrspace(1) %v60
  %v62 = load i64, ptr %sum
  %v63 = mul i64 %v62, 31
  %v64 = xor i64 %v63, %v61
  store i64 %v64, ptr %sum
  store i64 26, ptr @fuel
  %v65 = call i64 @reentered(ptr addrspace(1) %first, i64 %v30)
  %v66 = load i64, ptr %sum
  %v67 = mul i64 %v66, 31
  %v68 = xor i64 %v67, %v65
  store i64 %v68, ptr %sum
  store i64 83, ptr addrspace(1) %v26
  %v69 = and i64 %v30, 3
  %v70 = add i64 %v69, 3
  %v71 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 %v70
  %v72 = load i64, ptr %sum
  %v73 = mul i64 %v72, 31
  %v74 = xor i64 %v73, %v65
  store i64 %v74, ptr %sum
  %v75 = load i64, ptr addrspace(1) %v22
  %v76 = load i64, ptr %sum
  %v77 = mul i64 %v76, 31
  %v78 = xor i64 %v77, %v75
  store i64 %v78, ptr %sum
  %v79 = load i64, ptr %sum
  %v80 = mul i64 %v79, 31
  %v81 = xor i64 %v80, %v50
  store i64 %v81, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %first)
  call void @keep(i64 1, ptr addrspace(1) %first)
  %v82 = load i64, ptr %sum
  ret i64 %v82
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
