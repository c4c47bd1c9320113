; random: target=aarch64-unknown-linux-gnu opt=1 poll=tls:poll_thread:8 safepoints=postcall frame_pointer=none code_model=large all_backedges=true poll_interval=1
; compile: codegen_failed: LLVM ERROR: ELF TLS only supported in small memory model or in local exec TLS model (in the stage 'emit')
; seed 70023
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
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)
@united = external global [4 x { i64, i64 }]
@has_barriers = constant i8 1
@thread_state = external global i32
declare i64 @native(i64)
declare void @calm() nounwind "gc-leaf-function"
@table = internal constant [2 x ptr] [ptr @reentered, ptr @listed]

define internal ptr addrspace(1) @make(i64 %word, ptr addrspace(1) %next) gc "coreclr" {
  %object = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %object, ptr addrspace(1) %object
  %field = getelementptr i8, ptr addrspace(1) %object, i64 8
  store ptr addrspace(1) %next, ptr addrspace(1) %field
  %at = getelementptr i8, ptr addrspace(1) %object, i64 24
  store i64 %word, ptr addrspace(1) %at
  ret ptr addrspace(1) %object
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

define internal ptr addrspace(1) @inlined(ptr addrspace(1) %o, i64 %n) alwaysinline gc "coreclr" {
  %scoped = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %scoped, ptr inttoptr (i64 7 to ptr))
  store ptr addrspace(1) %o, ptr %scoped
  %slot = getelementptr i8, ptr addrspace(1) %o, i64 16
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %o, ptr addrspace(1) %slot)
  call void @collect() [ "gc-type"(ptr addrspace(1) %o, i64 3) ]
  %r = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %slot)
  %next = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %r)
  %kept = load ptr addrspace(1), ptr %scoped
  call void @llvm.gc.undeclare(ptr %scoped)
  %first = getelementptr i8, ptr addrspace(1) %next, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %kept, ptr addrspace(1) %next, ptr addrspace(1) %first)
  ret ptr addrspace(1) %next
}

define internal ptr addrspace(1) @turns(ptr addrspace(1) %o, i64 %n) alwaysinline gc "coreclr" {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %j, %turn ]
  %at = phi ptr addrspace(1) [ %o, %entry ], [ %to, %turn ]
  %to = call ptr addrspace(1) @inlined(ptr addrspace(1) %at, i64 %i)
  %j = add i64 %i, 1
  %over = icmp eq i64 %j, 2
  br i1 %over, label %end, label %turn
end:
  ret ptr addrspace(1) %to
}

define internal i64 @branched(i64 %n) alwaysinline gc "coreclr" {
  %odd = trunc i64 %n to i1
  br i1 %odd, label %yes, label %no
yes:
  call void @collect()
  ret i64 1
no:
  ret i64 0
}

define internal ptr addrspace(1) @late(ptr addrspace(1) %o, i64 %n) gc "coreclr" {
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

define internal double @f0(ptr addrspace(1) %p0, <2 x ptr addrspace(1)> %p1, i64 %p2, ptr addrspace(1) %p3, ptr addrspace(1) %p4) nounwind gc "coreclr" {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  store i64 0, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret double 4.5
run:
  %v3 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v4 = load <4 x i32>, ptr addrspace(1) %v3, align 8
  %v5 = trunc i64 %p2 to i32
  %v6 = trunc i64 %p2 to i32
  %v7 = xor i32 %v5, %v6
  %v8 = sext i32 %v7 to i64
  %v9 = load ptr addrspace(1), ptr addrspace(1) %p0
  call void @llvm.gc.value.p1(ptr addrspace(1) %v9, ptr null)
  call void @collect()
  %v12 = icmp ugt i64 %v8, %v8
  %v10 = getelementptr i8, ptr addrspace(1) %v9, i64 8
  %v13 = insertelement <2 x i1> <i1 true, i1 true>, i1 %v12, i32 1
  %v11 = call <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p1(ptr addrspace(1) %v10, i32 8, <2 x i1> %v13, <2 x ptr addrspace(1)> %p1)
  %v14 = load i64, ptr %sum
  %v15 = mul i64 %v14, 31
  %v16 = xor i64 %v15, %v8
  store i64 %v16, ptr %sum
  %v17 = load i64, ptr %sum
  %v18 = mul i64 %v17, 31
  %v19 = xor i64 %v18, %v8
  store i64 %v19, ptr %sum
  %v20 = load i64, ptr %sum
  %v21 = mul i64 %v20, 31
  %v22 = xor i64 %v21, %v8
  store i64 %v22, ptr %sum
  %v23 = load i64, ptr %sum
  call void @note(i64 %v23)
  %v24 = sitofp i32 %v5 to double
  ret double %v24
}

define internal i64 @f1(ptr addrspace(1) %p0) gc "coreclr" {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
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
  %v4 = load i64, ptr addrspace(1) %v3
  %v5 = load i64, ptr %sum
  %v6 = mul i64 %v5, 31
  %v7 = xor i64 %v6, %v4
  store i64 %v7, ptr %sum
  %v8 = call i64 @native(i64 187) [ "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v9 = and i64 %v8, 3
  %v10 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v9, i32 0
  %v11 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v9, i32 1
  br label %b23
b23:
  %v16 = phi i64 [ 0, %run ], [ %v17, %b26 ]
  %v20 = phi i64 [ 0, %run ], [ %v19, %b26 ]
  %v12 = load i64, ptr %v10
  %v13 = icmp eq i64 %v12, 1
  br i1 %v13, label %b24, label %b25
b24:
  %v14 = load ptr addrspace(1), ptr %v11
  %v22 = getelementptr i8, ptr addrspace(1) %v14, i64 24
  %v21 = load i64, ptr addrspace(1) %v22
  br label %b26
b25:
  %v15 = load i64, ptr %v11
  br label %b26
b26:
  %v28 = phi i64 [ %v21, %b24 ], [ %v15, %b25 ]
  %v19 = add i64 %v20, %v28
  %v17 = add i64 %v16, 1
  %v18 = icmp uge i64 %v17, 1
  br i1 %v18, label %b27, label %b23
b27:
  %v31 = mul i64 0, 31
  %v32 = add i64 %v31, %v19
  %v34 = mul i64 %v32, 31
  %v35 = add i64 %v34, %v19
  %v37 = icmp eq ptr addrspace(1) %p0, null
  %v38 = select i1 %v37, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v40 = getelementptr %node, ptr addrspace(1) %v38, i64 0, i32 1, i64 0
  %v39 = load i64, ptr addrspace(1) %v40
  %v36 = select i1 %v37, i64 1, i64 %v39
  %v41 = mul i64 %v35, 31
  %v42 = add i64 %v41, %v36
  %v29 = call i64 @observe(i64 %v42) [ "deopt"(i32 20773, i32 8195, i64 %v19, i64 %v19, ptr addrspace(1) %p0) ]
  call void @collect()
  %v43 = and i64 %v8, 3
  %v44 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v43, i32 1
  %v45 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v43, i32 0
  store i64 %v8, ptr %v44
  store i64 0, ptr %v45
  %v46 = trunc i64 %v19 to i32
  %v47 = call ptr addrspace(1) @inlined(ptr addrspace(1) %p0, i64 %v19) [ "deopt"(i32 20773, i32 25092, ptr addrspace(1) %p0, i64 %v19, ptr addrspace(1) %p0, i32 %v46) ]
  %v48 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v47, i32 0
  %v49 = insertelement <2 x ptr addrspace(1)> %v48, ptr addrspace(1) %v47, i32 1
  %v50 = shufflevector <2 x ptr addrspace(1)> %v49, <2 x ptr addrspace(1)> %v49, <2 x i32> <i32 1, i32 3>
  %v52 = call double @f0(ptr addrspace(1) %p0, <2 x ptr addrspace(1)> %v49, i64 %v29, ptr addrspace(1) %v47, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 1027, i64 753, i32 %v46, i64 %v8) ]
  call void @collect() [ "gc-live"(ptr addrspace(1) %v47, ptr addrspace(1) %v47) ]
  %v55 = icmp ne i64 %v8, %v8
  %v53 = getelementptr i8, ptr addrspace(1) %p0, i64 8
  %v56 = insertelement <2 x i1> <i1 false, i1 true>, i1 %v55, i32 0
  %v54 = call <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p1(ptr addrspace(1) %v53, i32 8, <2 x i1> %v56, <2 x ptr addrspace(1)> %v49)
  %v57 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %p0, i64 %v8)
  %v58 = extractvalue { i1, ptr addrspace(1) } %v57, 0
  %v59 = extractvalue { i1, ptr addrspace(1) } %v57, 1
  %v61 = call ptr addrspace(1) @make(i64 %v8, ptr addrspace(1) %v47) [ "deopt"(i32 20773, i32 34308, ptr addrspace(1) %p0, i32 %v46, i64 %v8, ptr addrspace(1) %p0) ]
  %v60 = select i1 %v58, ptr addrspace(1) %v59, ptr addrspace(1) %p0
  %v62 = extractelement <2 x ptr addrspace(1)> %v49, i32 0
  %v63 = icmp eq ptr addrspace(1) %v62, null
  %v64 = select i1 %v63, ptr addrspace(1) %p0, ptr addrspace(1) %v62
  %v65 = getelementptr i8, ptr addrspace(1) %v64, i64 24
  %v66 = load i64, ptr addrspace(1) %v65
  %v67 = load i64, ptr %sum
  %v68 = mul i64 %v67, 31
  %v69 = xor i64 %v68, %v66
  store i64 %v69, ptr %sum
  %v70 = extractelement <2 x ptr addrspace(1)> %v49, i32 1
  %v71 = icmp eq ptr addrspace(1) %v70, null
  %v72 = select i1 %v71, ptr addrspace(1) %v64, ptr addrspace(1) %v70
  %v73 = getelementptr %node, ptr addrspace(1) %v72, i64 0, i32 1, i64 0
  %v74 = load i64, ptr addrspace(1) %v73
  %v75 = load i64, ptr %sum
  %v76 = mul i64 %v75, 31
  %v77 = xor i64 %v76, %v74
  store i64 %v77, ptr %sum
  %v78 = getelementptr i8, ptr addrspace(1) %v64, i64 24
  %v79 = load i64, ptr addrspace(1) %v78
  %v80 = load i64, ptr %sum
  %v81 = mul i64 %v80, 31
  %v82 = xor i64 %v81, %v79
  store i64 %v82, ptr %sum
  %v83 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v84 = load i64, ptr addrspace(1) %v83
  %v85 = load i64, ptr %sum
  %v86 = mul i64 %v85, 31
  %v87 = xor i64 %v86, %v84
  store i64 %v87, ptr %sum
  %v88 = load i64, ptr %sum
  ret i64 %v88
}

define i64 @listed(ptr addrspace(1) %p0, i64 %p1) gc "coreclr" {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  store i64 2, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = icmp eq i64 %p1, %p1
  br i1 %v3, label %b5, label %b7
b5:
  call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 820, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0)
  call void @note(i64 %p1)
  %v10 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v11 = load i64, ptr addrspace(1) %v10
  %v12 = load i64, ptr %sum
  %v13 = mul i64 %v12, 31
  %v14 = xor i64 %v13, %v11
  store i64 %v14, ptr %sum
  %v15 = call ptr @smd.gc.pin(ptr addrspace(1) %p0)
  call void @collect()
  call void @collect()
  %v16 = getelementptr i8, ptr %v15, i64 24
  %v17 = load i64, ptr %v16
  store i64 %p1, ptr %v16
  call void @smd.gc.unpin(ptr %v15)
  %v18 = load i64, ptr %sum
  %v19 = mul i64 %v18, 31
  %v20 = xor i64 %v19, %p1
  store i64 %v20, ptr %sum
  br label %b7
b7:
  %v21 = phi ptr addrspace(1) [ %p0, %run ], [ %p0, %b5 ]
  %v22 = icmp ugt i64 %p1, %p1
  %v23 = select i1 %v22, i64 %p1, i64 %p1
  %v24 = call ptr addrspace(1) @late(ptr addrspace(1) %p0, i64 %v23)
  %v25 = load ptr addrspace(1), ptr addrspace(1) %p0
  call void @collect() [ "gc-live"(ptr addrspace(1) %v24, ptr addrspace(1) %v24) ]
  %v27 = call i64 @native(i64 868) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %p0), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v29 = trunc i64 %v27 to i32
  %v30 = zext i32 %v29 to i64
  %v31 = mul i64 0, 31
  %v32 = add i64 %v31, %v30
  %v34 = mul i64 %v32, 31
  %v35 = add i64 %v34, 899
  %v28 = call i64 @observe(i64 %v35) [ "deopt"(i32 20773, i32 258, i32 %v29, i64 899) ]
  %v36 = call ptr addrspace(1) @turns(ptr addrspace(1) %v24, i64 %p1) [ "deopt"(i32 20773, i32 35076, i32 %v29, ptr addrspace(1) %p0, i64 %v27, ptr addrspace(1) %v21) ]
  %v37 = zext i1 %v22 to i64
  %v38 = load i64, ptr %sum
  %v39 = mul i64 %v38, 31
  %v40 = xor i64 %v39, %v37
  store i64 %v40, ptr %sum
  %v41 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v42 = load i64, ptr addrspace(1) %v41
  %v43 = load i64, ptr %sum
  %v44 = mul i64 %v43, 31
  %v45 = xor i64 %v44, %v42
  store i64 %v45, ptr %sum
  %v46 = getelementptr i8, ptr addrspace(1) %v21, i64 24
  %v47 = load i64, ptr addrspace(1) %v46
  %v48 = load i64, ptr %sum
  %v49 = mul i64 %v48, 31
  %v50 = xor i64 %v49, %v47
  store i64 %v50, ptr %sum
  %v51 = load i64, ptr %sum
  ret i64 %v51
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) gc "coreclr" {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  store i64 3, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = load ptr addrspace(1), ptr addrspace(1) %p0
  %v5 = call ptr addrspace(1) @allocate(i64 104, i64 3)
  %v6 = getelementptr %node, ptr addrspace(1) %v5, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v5, ptr addrspace(1) %v5
  store i64 %p1, ptr addrspace(1) %v6
  %v7 = getelementptr i8, ptr addrspace(1) %v3, i64 56
  store i64 %p1, ptr addrspace(1) %v7
  %v8 = alloca ptr addrspace(1)
  store ptr addrspace(1) %p0, ptr %v8
  %v9 = call ptr @llvm.ptr.annotation.p0.p0(ptr %v8, ptr null, ptr null, i32 0, ptr null)
  %v11 = call ptr @llvm.strip.invariant.group.p0(ptr %v8)
  %v13 = call ptr addrspace(1) asm "", "=r,0"(ptr addrspace(1) %v3)
  %v15 = call ptr addrspace(1) @"same.ptr addrspace(1)"(ptr addrspace(1) %v13)
  %v17 = getelementptr %node, ptr addrspace(1) %v13, i64 0, i32 1, i64 7
  store i64 %p1, ptr addrspace(1) %v17
  %v19 = trunc i64 %p1 to i32
  %v18 = sitofp i32 %v19 to double
  %v20 = fadd double %v18, %v18
  %v22 = bitcast double %v18 to i64
  %v21 = fcmp ord double %v18, 0.0
  %v23 = select i1 %v21, i64 %v22, i64 7
  %v24 = load i64, ptr %sum
  %v25 = mul i64 %v24, 31
  %v26 = xor i64 %v25, %v23
  store i64 %v26, ptr %sum
  %v27 = load ptr addrspace(1), ptr addrspace(1) %v13
  %v29 = add i32 %v19, %v19
  %v30 = sext i32 %v29 to i64
  %v33 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v27, i32 0
  %v34 = insertelement <2 x ptr addrspace(1)> %v33, ptr addrspace(1) null, i32 1
  %v35 = icmp ugt i64 %v30, %v30
  %v31 = getelementptr i8, ptr addrspace(1) %v27, i64 8
  %v36 = insertelement <2 x i1> <i1 false, i1 true>, i1 %v35, i32 1
  %v32 = call <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p1(ptr addrspace(1) %v31, i32 8, <2 x i1> %v36, <2 x ptr addrspace(1)> %v34)
  %v37 = getelementptr %node, ptr addrspace(1) %v13, i64 0, i32 0, i64 2
  store ptr addrspace(1) %p0, ptr addrspace(1) %v37
  %v39 = extractelement <2 x ptr addrspace(1)> %v34, i32 0
  %v40 = getelementptr %node, ptr addrspace(1) %v15, i64 0, i32 1, i64 0
  %v41 = load i64, ptr addrspace(1) %v40
  %v42 = load i64, ptr %sum
  %v43 = mul i64 %v42, 31
  %v44 = xor i64 %v43, %v41
  store i64 %v44, ptr %sum
  %v45 = getelementptr %node, ptr addrspace(1) %v27, i64 0, i32 1, i64 0
  %v46 = load i64, ptr addrspace(1) %v45
  %v47 = load i64, ptr %sum
  %v48 = mul i64 %v47, 31
  %v49 = xor i64 %v48, %v46
  store i64 %v49, ptr %sum
  %v50 = load i64, ptr %sum
  ret i64 %v50
}

define i64 @program(i64 %n) gc "coreclr" {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 96, i64 3)
  %v1 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  store ptr addrspace(1) %first, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 9, ptr @fuel
  %v2 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v0, i32 0
  %v3 = insertelement <2 x ptr addrspace(1)> %v2, ptr addrspace(1) %v0, i32 1
  %v4 = trunc i64 %n to i32
  %v5 = call double @f0(ptr addrspace(1) %v0, <2 x ptr addrspace(1)> %v3, i64 %n, ptr addrspace(1) %first, ptr addrspace(1) %v0) [ "deopt"(i32 20773, i32 174341, i32 %v4, ptr addrspace(1) %first, ptr addrspace(1) %first, ptr addrspace(1) %first, ptr addrspace(1) %v0) ]
  %v7 = bitcast double %v5 to i64
  %v6 = fcmp ord double %v5, 0.0
  %v8 = select i1 %v6, i64 %v7, i64 7
  %v9 = load i64, ptr %sum
  %v10 = mul i64 %v9, 31
  %v11 = xor i64 %v10, %v8
  store i64 %v11, ptr %sum
  %v12 = extractelement <2 x ptr addrspace(1)> %v3, i32 0
  %v13 = getelementptr i8, ptr addrspace(1) %v12, i64 24
  %v14 = load i64, ptr addrspace(1) %v13
  %v15 = load i64, ptr %sum
  %v16 = mul i64 %v15, 31
  %v17 = xor i64 %v16, %v14
  store i64 %v17, ptr %sum
  %v18 = extractelement <2 x ptr addrspace(1)> %v3, i32 1
  %v19 = getelementptr i8, ptr addrspace(1) %v18, i64 24
  %v20 = load i64, ptr addrspace(1) %v19
  %v21 = load i64, ptr %sum
  %v22 = mul i64 %v21, 31
  %v23 = xor i64 %v22, %v20
  store i64 %v23, ptr %sum
  %v25 = bitcast double %v5 to i64
  %v24 = fcmp ord double %v5, 0.0
  %v26 = select i1 %v24, i64 %v25, i64 7
  %v27 = load i64, ptr %sum
  %v28 = mul i64 %v27, 31
  %v29 = xor i64 %v28, %v26
  store i64 %v29, ptr %sum
  %v30 = extractelement <2 x ptr addrspace(1)> %v3, i32 0
  %v31 = getelementptr i8, ptr addrspace(1) %v30, i64 24
  %v32 = load i64, ptr addrspace(1) %v31
  %v33 = load i64, ptr %sum
  %v34 = mul i64 %v33, 31
  %v35 = xor i64 %v34, %v32
  store i64 %v35, ptr %sum
  %v36 = extractelement <2 x ptr addrspace(1)> %v3, i32 1
  %v37 = getelementptr %node, ptr addrspace(1) %v36, i64 0, i32 1, i64 0
  %v38 = load i64, ptr addrspace(1) %v37
  %v39 = load i64, ptr %sum
  %v40 = mul i64 %v39, 31
  %v41 = xor i64 %v40, %v38
  store i64 %v41, ptr %sum
  store i64 18, ptr @fuel
  %v42 = call i64 @f1(ptr addrspace(1) %v0)
  %v43 = load i64, ptr %sum
  %v44 = mul i64 %v43, 31
  %v45 = xor i64 %v44, %v42
  store i64 %v45, ptr %sum
  %v47 = bitcast double %v5 to i64
  %v46 = fcmp ord double %v5, 0.0
  %v48 = select i1 %v46, i64 %v47, i64 7
  %v49 = load i64, ptr %sum
  %v50 = mul i64 %v49, 31
  %v51 = xor i64 %v50, %v48
  store i64 %v51, ptr %sum
  %v52 = load i64, ptr %sum
  %v53 = mul i64 %v52, 31
  %v54 = xor i64 %v53, %n
  store i64 %v54, ptr %sum
  %v55 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v56 = load i64, ptr addrspace(1) %v55
  %v57 = load i64, ptr %sum
  %v58 = mul i64 %v57, 31
  %v59 = xor i64 %v58, %v56
  store i64 %v59, ptr %sum
  store i64 9, ptr @fuel
  %v60 = call i64 @listed(ptr addrspace(1) %first, i64 %v42) [ "deopt"(i32 20773, i32 174597, ptr addrspace(1) %first, ptr addrspace(1) null, ptr addrspace(1) %first, ptr addrspace(1) %first, ptr addrspace(1) %first) ]
  %v61 = load i64, ptr %sum
  %v62 = mul i64 %v61, 31
  %v63 = xor i64 %v62, %v60
  store i64 %v63, ptr %sum
  %v64 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v66 = insertelement <4 x i32> zeroinitializer, i32 %v4, i32 2
  %v67 = add <4 x i32> %v66, <i32 1, i32 2, i32 3, i32 70>
  store <4 x i32> %v67, ptr addrspace(1) %v64, align 8
  %v68 = icmp ult i64 679, %n
  br i1 %v68, label %b70, label %b71
b70:
  %v73 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v0, ptr %v73
  %v74 = call ptr @llvm.strip.invariant.group.p0(ptr %v73)
  %v76 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %first, ptr null, ptr null, i32 0, ptr null)
  %v78 = call ptr @llvm.strip.invariant.group.p0(ptr %v73)
  %v80 = getelementptr i8, ptr %v73, i64 0
  %v82 = getelementptr i8, ptr %v73, i64 0
  %v84 = freeze ptr addrspace(1) %v76
  %v86 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %v84, ptr null, ptr null, i32 0, ptr null)
  %v88 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v76)
  %v90 = call ptr @llvm.strip.invariant.group.p0(ptr %v73)
  %v92 = select i1 true, ptr addrspace(1) %v76, ptr addrspace(1) %v76
  %a95 = alloca ptr addrspace(1)
  store volatile ptr addrspace(1) %v88, ptr %a95
  %v94 = load volatile ptr addrspace(1), ptr %a95
  %v96 = call ptr @llvm.strip.invariant.group.p0(ptr %v90)
  %a99 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v76, i32 1
  %v98 = extractelement <2 x ptr addrspace(1)> %a99, i32 1
  %v100 = call ptr @llvm.launder.invariant.group.p0(ptr %v73)
  %v102 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v84)
  %v104 = select i1 true, ptr %v73, ptr %v73
  %v106 = call i64 @native(i64 %n) [ "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v107 = getelementptr %node, ptr addrspace(1) %v84, i64 0, i32 0, i64 2
  store ptr addrspace(1) %v92, ptr addrspace(1) %v107
  br label %b72
b71:
  %v108 = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(ptr addrspace(1) (i64, i64)) @allocate, i32 2, i32 0, i64 88, i64 3, i32 0, i32 0)
  %v109 = call ptr addrspace(1) @llvm.experimental.gc.result.p1(token %v108)
  %v110 = getelementptr %node, ptr addrspace(1) %v109, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v109, ptr addrspace(1) %v109
  store i64 %v42, ptr addrspace(1) %v110
  %v111 = shufflevector <2 x ptr addrspace(1)> %v3, <2 x ptr addrspace(1)> %v3, <2 x i32> <i32 0, i32 2>
  br label %b72
b72:
  %v113 = phi ptr addrspace(1) [ %v86, %b70 ], [ %v109, %b71 ]
  %v114 = zext i32 %v4 to i64
  %v115 = load i64, ptr %sum
  %v116 = mul i64 %v115, 31
  %v117 = xor i64 %v116, %v114
  store i64 %v117, ptr %sum
  %v118 = load i64, ptr %sum
  %v119 = mul i64 %v118, 31
  %v120 = xor i64 %v119, %v42
  store i64 %v120, ptr %sum
  %v121 = zext i1 %v68 to i64
  %v122 = load i64, ptr %sum
  %v123 = mul i64 %v122, 31
  %v124 = xor i64 %v123, %v121
  store i64 %v124, ptr %sum
  store i64 4, ptr @fuel
  %v125 = call i64 @reentered(ptr addrspace(1) %v113, i64 %v42) [ "deopt"(i32 20773, i32 37380, ptr addrspace(1) %first, i64 %v42, i32 %v4, ptr addrspace(1) %v113) ]
  %v126 = load i64, ptr %sum
  %v127 = mul i64 %v126, 31
  %v128 = xor i64 %v127, %v125
  store i64 %v128, ptr %sum
  %v129 = extractelement <2 x ptr addrspace(1)> %v3, i32 0
  %v130 = getelementptr %node, ptr addrspace(1) %v129, i64 0, i32 1, i64 0
  %v131 = load i64, ptr addrspace(1) %v130
  %v132 = load i64, ptr %sum
  %v133 = mul i64 %v132, 31
  %v134 = xor i64 %v133, %v131
  store i64 %v134, ptr %sum
  %v135 = extractelement <2 x ptr addrspace(1)> %v3, i32 1
  %v136 = getelementptr i8, ptr addrspace(1) %v135, i64 24
  %v137 = load i64, ptr addrspace(1) %v136
  %v138 = load i64, ptr %sum
  %v139 = mul i64 %v138, 31
  %v140 = xor i64 %v139, %v137
  store i64 %v140, ptr %sum
  %v142 = bitcast double %v5 to i64
  %v141 = fcmp ord double %v5, 0.0
  %v143 = select i1 %v141, i64 %v142, i64 7
  %v144 = load i64, ptr %sum
  %v145 = mul i64 %v144, 31
  %v146 = xor i64 %v145, %v143
  store i64 %v146, ptr %sum
  %v147 = extractelement <4 x i32> %v67, i32 0
  %v148 = zext i32 %v147 to i64
  %v149 = load i64, ptr %sum
  %v150 = mul i64 %v149, 31
  %v151 = xor i64 %v150, %v148
  store i64 %v151, ptr %sum
  %v152 = extractelement <4 x i32> %v67, i32 3
  %v153 = zext i32 %v152 to i64
  %v154 = load i64, ptr %sum
  %v155 = mul i64 %v154, 31
  %v156 = xor i64 %v155, %v153
  store i64 %v156, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v113)
  call void @keep(i64 1, ptr addrspace(1) %v113)
  %v157 = load i64, ptr %sum
  ret i64 %v157
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
