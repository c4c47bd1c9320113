; random: target=aarch64-unknown-linux-gnu opt=0 poll=tls:poll_thread:8 safepoints=return frame_pointer=all reloc=static code_model=large split_backedges=true
; compile: codegen_failed: LLVM ERROR: ELF TLS only supported in small memory model or in local exec TLS model (in the stage 'emit')
; seed 70059
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

define internal ptr addrspace(1) @f0(ptr addrspace(1) %p0, ptr addrspace(1) %p1, <2 x ptr addrspace(1)> %p2, ptr addrspace(1) %p3) gc "coreclr" {
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
  %v3 = icmp ugt i64 189, 362
  br i1 %v3, label %b5, label %b7, !prof !2
b5:
  %v8 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v9 = insertvalue { ptr addrspace(1), i64 } { ptr addrspace(1) null, i64 0 }, ptr addrspace(1) %v8, 0
  %v10 = insertvalue { ptr addrspace(1), i64 } %v9, i64 41, 1
  %v11 = extractvalue { ptr addrspace(1), i64 } %v10, 0
  %v12 = getelementptr i8, ptr addrspace(1) %p0, i64 8
  %v14 = insertelement <2 x i1> <i1 false, i1 true>, i1 %v3, i32 0
  %v13 = call <2 x ptr addrspace(1)> @llvm.masked.load.v2p1.p1(ptr addrspace(1) %v12, i32 8, <2 x i1> %v14, <2 x ptr addrspace(1)> %p2)
  %v15 = getelementptr i8, ptr addrspace(1) %p0, i64 16
  store ptr addrspace(1) %p0, ptr addrspace(1) %v15
  br label %b7
b7:
  %v16 = icmp eq ptr addrspace(1) %p3, %p0
  %v17 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v18 = load i64, ptr addrspace(1) %v17
  %v20 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %p0, i32 0
  %v21 = insertelement <2 x ptr addrspace(1)> %v20, ptr addrspace(1) %p0, i32 1
  %v19 = getelementptr i8, <2 x ptr addrspace(1)> %v21, <2 x i64> <i64 48, i64 48>
  %v22 = extractelement <2 x ptr addrspace(1)> %v19, i32 1
  %v23 = and i64 %v18, 3
  %v24 = add i64 %v23, 3
  %v25 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 %v24
  %v26 = load i64, ptr addrspace(1) %v17
  %v27 = load i64, ptr %sum
  %v28 = mul i64 %v27, 31
  %v29 = xor i64 %v28, %v26
  store i64 %v29, ptr %sum
  %v30 = icmp eq ptr addrspace(1) %p1, null
  %v31 = select i1 %v30, ptr addrspace(1) %p0, ptr addrspace(1) %p1
  %v32 = getelementptr %node, ptr addrspace(1) %v31, i64 0, i32 1, i64 0
  %v33 = load i64, ptr addrspace(1) %v32
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %v33
  store i64 %v36, ptr %sum
  %v37 = extractelement <2 x ptr addrspace(1)> %v19, i32 0
  %v38 = load i64, ptr addrspace(1) %v37
  %v39 = load i64, ptr %sum
  %v40 = mul i64 %v39, 31
  %v41 = xor i64 %v40, %v38
  store i64 %v41, ptr %sum
  %v42 = extractelement <2 x ptr addrspace(1)> %v19, i32 1
  %v43 = load i64, ptr addrspace(1) %v42
  %v44 = load i64, ptr %sum
  %v45 = mul i64 %v44, 31
  %v46 = xor i64 %v45, %v43
  store i64 %v46, ptr %sum
  %v47 = load i64, ptr %sum
  call void @note(i64 %v47)
  ret ptr addrspace(1) %p3
}

define internal ptr addrspace(1) @f1(ptr addrspace(1) %p0) nounwind gc "coreclr" {
entry:
  %sum = alloca i64
  store i64 1, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret ptr addrspace(1) null
run:
  %v4 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v3 = load i64, ptr addrspace(1) %v4
  %v5 = and i64 %v3, 3
  %v6 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v5, i32 0
  %v7 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v5, i32 1
  br label %b19
b19:
  %v12 = phi i64 [ 0, %run ], [ %v13, %b22 ]
  %v16 = phi i64 [ 0, %run ], [ %v15, %b22 ]
  %v8 = load i64, ptr %v6
  %v9 = icmp eq i64 %v8, 1
  br i1 %v9, label %b20, label %b21
b20:
  %v10 = load ptr addrspace(1), ptr %v7
  call void @collect()
  %v18 = getelementptr i8, ptr addrspace(1) %v10, i64 24
  %v17 = load i64, ptr addrspace(1) %v18
  br label %b22
b21:
  %v11 = load i64, ptr %v7
  br label %b22
b22:
  %v24 = phi i64 [ %v17, %b20 ], [ %v11, %b21 ]
  %v15 = add i64 %v16, %v24
  %v13 = add i64 %v12, 1
  %v14 = icmp uge i64 %v13, 2
  br i1 %v14, label %b23, label %b19
b23:
  %v25 = icmp slt i64 -1, %v15
  %v26 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %p0, i32 0
  %v27 = insertelement <2 x ptr addrspace(1)> %v26, ptr addrspace(1) %p0, i32 1
  %v28 = select i1 %v25, <2 x ptr addrspace(1)> %v27, <2 x ptr addrspace(1)> %v27
  %v29 = extractelement <2 x ptr addrspace(1)> %v27, i32 0
  %v30 = getelementptr %node, ptr addrspace(1) %v29, i64 0, i32 1, i64 0
  %v31 = load i64, ptr addrspace(1) %v30
  %v32 = load i64, ptr %sum
  %v33 = mul i64 %v32, 31
  %v34 = xor i64 %v33, %v31
  store i64 %v34, ptr %sum
  %v35 = extractelement <2 x ptr addrspace(1)> %v27, i32 1
  %v36 = getelementptr i8, ptr addrspace(1) %v35, i64 24
  %v37 = load i64, ptr addrspace(1) %v36
  %v38 = load i64, ptr %sum
  %v39 = mul i64 %v38, 31
  %v40 = xor i64 %v39, %v37
  store i64 %v40, ptr %sum
  %v42 = alloca { i64, ptr addrspace(1) }
  %v41 = getelementptr { i64, ptr addrspace(1) }, ptr %v42, i64 0, i32 1
  store ptr addrspace(1) %p0, ptr %v41
  %v44 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v43 = call ptr addrspace(1) @allocate(i64 96, i64 3) [ "deopt"(i32 20773, i32 51205, i64 %v3, ptr addrspace(1) %p0, i64 %v3, ptr addrspace(1) %v44, i64 %v3) ]
  %v45 = getelementptr i8, ptr addrspace(1) %v43, i64 24
  store ptr addrspace(1) %p0, ptr addrspace(1) %v43
  store i64 %v3, ptr addrspace(1) %v45
  %v47 = getelementptr %node, ptr addrspace(1) %v43, i64 0, i32 0, i64 2
  %v46 = load ptr addrspace(1), ptr addrspace(1) %v47
  store ptr addrspace(1) %v43, ptr addrspace(1) %v43
  %v50 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v43, i32 0
  %v51 = insertelement <2 x ptr addrspace(1)> %v50, ptr addrspace(1) %v43, i32 1
  %v49 = getelementptr i8, <2 x ptr addrspace(1)> %v51, <2 x i64> <i64 56, i64 56>
  %v52 = call <2 x i64> @llvm.masked.gather.v2i64.v2p1(<2 x ptr addrspace(1)> %v49, i32 8, <2 x i1> <i1 true, i1 true>, <2 x i64> zeroinitializer)
  %v53 = extractelement <2 x i64> %v52, i32 0
  %v54 = and i64 %v3, 3
  %v55 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v54, i32 1
  %v56 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v54, i32 0
  store ptr addrspace(1) %v43, ptr %v55
  store i64 1, ptr %v56
  call void @collect()
  %v57 = getelementptr %node, ptr addrspace(1) %v43, i64 0, i32 1, i64 4
  store i64 %v53, ptr addrspace(1) %v57
  %v58 = load i64, ptr %sum
  %v59 = mul i64 %v58, 31
  %v60 = xor i64 %v59, %v3
  store i64 %v60, ptr %sum
  %v61 = load i64, ptr addrspace(1) %v44
  %v62 = load i64, ptr %sum
  %v63 = mul i64 %v62, 31
  %v64 = xor i64 %v63, %v61
  store i64 %v64, ptr %sum
  %v65 = load i64, ptr %sum
  call void @note(i64 %v65)
  ret ptr addrspace(1) %v43
}

define internal ptr addrspace(1) @f2(ptr addrspace(1) %p0, i64 %p1, ptr addrspace(1) %p2) gc "coreclr" {
entry:
  %sum = alloca i64
  store i64 2, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret ptr addrspace(1) null
run:
  %v3 = call i64 @reentered(ptr addrspace(1) %p0, i64 %p1) [ "deopt"(i32 20773, i32 1, i64 %p1) ]
  %v4 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v5 = load i64, ptr addrspace(1) %v4
  %v6 = getelementptr i8, ptr addrspace(1) %p0, <2 x i64> <i64 40, i64 48>
  %v9 = icmp eq ptr addrspace(1) %p0, null
  %v10 = select i1 %v9, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v12 = getelementptr %node, ptr addrspace(1) %v10, i64 0, i32 1, i64 0
  %v11 = load i64, ptr addrspace(1) %v12
  %v8 = select i1 %v9, i64 1, i64 %v11
  %v13 = mul i64 0, 31
  %v14 = add i64 %v13, %v8
  %v16 = icmp eq ptr addrspace(1) %p2, null
  %v17 = select i1 %v16, ptr addrspace(1) %p0, ptr addrspace(1) %p2
  %v19 = getelementptr %node, ptr addrspace(1) %v17, i64 0, i32 1, i64 0
  %v18 = load i64, ptr addrspace(1) %v19
  %v15 = select i1 %v16, i64 1, i64 %v18
  %v20 = mul i64 %v14, 31
  %v21 = add i64 %v20, %v15
  %v22 = load i64, ptr addrspace(1) %v4
  %v23 = mul i64 %v21, 31
  %v24 = add i64 %v23, %v22
  %v26 = icmp eq ptr addrspace(1) %p0, null
  %v27 = select i1 %v26, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v29 = getelementptr %node, ptr addrspace(1) %v27, i64 0, i32 1, i64 0
  %v28 = load i64, ptr addrspace(1) %v29
  %v25 = select i1 %v26, i64 1, i64 %v28
  %v30 = mul i64 %v24, 31
  %v31 = add i64 %v30, %v25
  %v7 = call i64 @observe(i64 %v31) [ "deopt"(i32 20773, i32 47620, ptr addrspace(1) %p0, ptr addrspace(1) %p2, ptr addrspace(1) %v4, ptr addrspace(1) %p0) ]
  %v32 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v33 = load i64, ptr addrspace(1) %v32
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %v33
  store i64 %v36, ptr %sum
  %v37 = and i64 682, 3
  %v38 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v37, i32 0
  %v39 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v37, i32 1
  br label %b51
b51:
  %v44 = phi i64 [ 0, %run ], [ %v45, %b54 ]
  %v48 = phi i64 [ 0, %run ], [ %v47, %b54 ]
  %v40 = load i64, ptr %v38
  %v41 = icmp eq i64 %v40, 1
  br i1 %v41, label %b52, label %b53
b52:
  %v42 = load ptr addrspace(1), ptr %v39
  call void @collect()
  %v50 = getelementptr i8, ptr addrspace(1) %v42, i64 24
  %v49 = load i64, ptr addrspace(1) %v50
  br label %b54
b53:
  %v43 = load i64, ptr %v39
  br label %b54
b54:
  %v56 = phi i64 [ %v49, %b52 ], [ %v43, %b53 ]
  %v47 = add i64 %v48, %v56
  %v45 = add i64 %v44, 1
  %v46 = icmp uge i64 %v45, 1
  br i1 %v46, label %b55, label %b51
b55:
  %v57 = load i64, ptr %sum
  %v58 = mul i64 %v57, 31
  %v59 = xor i64 %v58, %v3
  store i64 %v59, ptr %sum
  %v60 = load i64, ptr addrspace(1) %v4
  %v61 = load i64, ptr %sum
  %v62 = mul i64 %v61, 31
  %v63 = xor i64 %v62, %v60
  store i64 %v63, ptr %sum
  %v64 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v65 = load i64, ptr addrspace(1) %v64
  %v66 = load i64, ptr %sum
  %v67 = mul i64 %v66, 31
  %v68 = xor i64 %v67, %v65
  store i64 %v68, ptr %sum
  %v69 = load i64, ptr %sum
  call void @note(i64 %v69)
  ret ptr addrspace(1) %p0
}

define i64 @listed(ptr addrspace(1) %p0, i64 %p1) nounwind gc "coreclr" {
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
  %v3 = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(ptr addrspace(1) (i64, i64)) @allocate, i32 2, i32 0, i64 88, i64 3, i32 0, i32 0)
  %v4 = call ptr addrspace(1) @llvm.experimental.gc.result.p1(token %v3)
  %v5 = getelementptr %node, ptr addrspace(1) %v4, i64 0, i32 1, i64 0
  store ptr addrspace(1) %p0, ptr addrspace(1) %v4
  store i64 %p1, ptr addrspace(1) %v5
  %v6 = getelementptr i8, ptr addrspace(1) %v4, i64 24
  %v7 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v6, i64 -8)
  %v9 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %p0, i64 -8)
  %a12 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v9, i32 1
  %v11 = extractelement <2 x ptr addrspace(1)> %a12, i32 1
  %a14 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v7, i32 1
  %v13 = extractelement <2 x ptr addrspace(1)> %a14, i32 1
  call void @collect() [ "gc-live"(ptr addrspace(1) %v9, ptr addrspace(1) %v9) ]
  %v15 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v13)
  %v17 = alloca { i64, ptr addrspace(1) }
  %v16 = getelementptr { i64, ptr addrspace(1) }, ptr %v17, i64 0, i32 1
  store ptr addrspace(1) %p0, ptr %v16
  call void @collect() [ "deopt"(i32 20773, i32 769, ptr addrspace(1) %v6) ]
  %v18 = and i64 669, 3
  %v19 = add i64 %v18, 3
  %v20 = getelementptr %node, ptr addrspace(1) %v9, i64 0, i32 1, i64 %v19
  %v21 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v7)
  %v22 = call i64 @native(i64 %p1) [ "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v23 = getelementptr %node, ptr addrspace(1) %v11, i64 0, i32 1, i64 0
  %v24 = load i64, ptr addrspace(1) %v23
  %v25 = load i64, ptr %sum
  %v26 = mul i64 %v25, 31
  %v27 = xor i64 %v26, %v24
  store i64 %v27, ptr %sum
  %v28 = load i64, ptr addrspace(1) %v13
  %v29 = load i64, ptr %sum
  %v30 = mul i64 %v29, 31
  %v31 = xor i64 %v30, %v28
  store i64 %v31, ptr %sum
  %v32 = getelementptr i8, ptr addrspace(1) %v4, i64 24
  %v33 = load i64, ptr addrspace(1) %v32
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %v33
  store i64 %v36, ptr %sum
  %v37 = load i64, ptr %sum
  ret i64 %v37
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) gc "coreclr" {
entry:
  %sum = alloca i64
  store i64 4, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = load ptr addrspace(1), ptr addrspace(1) %p0
  %v4 = call ptr @smd.gc.pin(ptr addrspace(1) %v3)
  %v8 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v7 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 245509, ptr addrspace(1) %v8, ptr addrspace(1) %v8, ptr addrspace(1) %v8, ptr addrspace(1) %p0, ptr addrspace(1) %v8) ]
  %v5 = getelementptr i8, ptr %v4, i64 24
  %v6 = load i64, ptr %v5
  %v9 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v7)
  %v10 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v7) [ "deopt"(i32 20773, i32 1, i64 %p1) ]
  store i64 %p1, ptr %v5
  call void @smd.gc.unpin(ptr %v4)
  %v11 = load i64, ptr addrspace(1) %v8
  %v13 = and i64 %p1, 3
  %v12 = getelementptr i64, ptr addrspace(1) %v8, i64 %v13
  %v14 = call ptr addrspace(1) @allocate(i64 104, i64 3) [ "deopt"(i32 20773, i32 2052, i64 %v6, ptr addrspace(1) %v9, i64 %v6, i64 -1) ]
  %v15 = getelementptr i8, ptr addrspace(1) %v14, i64 24
  store ptr addrspace(1) %v14, ptr addrspace(1) %v14
  store i64 %v6, ptr addrspace(1) %v15
  %v16 = icmp sge i64 %v6, %v6
  %v17 = getelementptr i8, ptr addrspace(1) %v3, i64 8
  %v18 = select i1 %v16, ptr addrspace(1) %v17, ptr addrspace(1) %v17
  call void @collect() [ "gc-live"(ptr addrspace(1) %v7, ptr addrspace(1) %v14) ]
  %v21 = and i64 %p1, 3
  %v22 = add i64 %v21, 3
  %v23 = getelementptr %node, ptr addrspace(1) %v14, i64 0, i32 1, i64 %v22
  %v24 = load i64, ptr addrspace(1) %v8
  %v25 = load i64, ptr %sum
  %v26 = mul i64 %v25, 31
  %v27 = xor i64 %v26, %v24
  store i64 %v27, ptr %sum
  %v28 = insertvalue { ptr addrspace(1), i64 } { ptr addrspace(1) null, i64 0 }, ptr addrspace(1) %v12, 0
  %v29 = insertvalue { ptr addrspace(1), i64 } %v28, i64 %p1, 1
  %v30 = extractvalue { ptr addrspace(1), i64 } %v29, 0
  %v31 = load i64, ptr addrspace(1) %v12
  %v32 = load i64, ptr %sum
  %v33 = mul i64 %v32, 31
  %v34 = xor i64 %v33, %v31
  store i64 %v34, ptr %sum
  %v35 = getelementptr i8, ptr addrspace(1) %v9, i64 24
  %v36 = load i64, ptr addrspace(1) %v35
  %v37 = load i64, ptr %sum
  %v38 = mul i64 %v37, 31
  %v39 = xor i64 %v38, %v36
  store i64 %v39, ptr %sum
  %v40 = load i64, ptr addrspace(1) %v23
  %v41 = load i64, ptr %sum
  %v42 = mul i64 %v41, 31
  %v43 = xor i64 %v42, %v40
  store i64 %v43, ptr %sum
  %v44 = load i64, ptr %sum
  %v45 = mul i64 %v44, 31
  %v46 = xor i64 %v45, %v11
  store i64 %v46, ptr %sum
  %v47 = load i64, ptr %sum
  ret i64 %v47
}

define i64 @program(i64 %n) gc "coreclr" {
entry:
  %sum = alloca i64
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 96, i64 3)
  %v1 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  store ptr addrspace(1) %v0, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 24, ptr @fuel
  %v2 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %first, i32 0
  %v3 = insertelement <2 x ptr addrspace(1)> %v2, ptr addrspace(1) %v0, i32 1
  %v4 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v5 = call ptr addrspace(1) @f0(ptr addrspace(1) %first, ptr addrspace(1) %v0, <2 x ptr addrspace(1)> %v3, ptr addrspace(1) %v0) [ "deopt"(i32 20773, i32 44548, ptr addrspace(1) %v0, ptr addrspace(1) %v4, ptr addrspace(1) %v0, ptr addrspace(1) %v0) ]
  %v6 = icmp eq ptr addrspace(1) %v5, null
  %v7 = select i1 %v6, ptr addrspace(1) %first, ptr addrspace(1) %v5
  %v8 = getelementptr i8, ptr addrspace(1) %v7, i64 24
  %v9 = load i64, ptr addrspace(1) %v8
  %v10 = load i64, ptr %sum
  %v11 = mul i64 %v10, 31
  %v12 = xor i64 %v11, %v9
  store i64 %v12, ptr %sum
  %v13 = extractelement <2 x ptr addrspace(1)> %v3, i32 0
  %v14 = getelementptr i8, ptr addrspace(1) %v13, i64 24
  %v15 = load i64, ptr addrspace(1) %v14
  %v16 = load i64, ptr %sum
  %v17 = mul i64 %v16, 31
  %v18 = xor i64 %v17, %v15
  store i64 %v18, ptr %sum
  %v19 = extractelement <2 x ptr addrspace(1)> %v3, i32 1
  %v20 = getelementptr %node, ptr addrspace(1) %v19, i64 0, i32 1, i64 0
  %v21 = load i64, ptr addrspace(1) %v20
  %v22 = load i64, ptr %sum
  %v23 = mul i64 %v22, 31
  %v24 = xor i64 %v23, %v21
  store i64 %v24, ptr %sum
  %v25 = load i64, ptr %sum
  %v26 = mul i64 %v25, 31
  %v27 = xor i64 %v26, %n
  store i64 %v27, ptr %sum
  %v28 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  %v29 = load i64, ptr addrspace(1) %v28
  %v30 = load i64, ptr %sum
  %v31 = mul i64 %v30, 31
  %v32 = xor i64 %v31, %v29
  store i64 %v32, ptr %sum
  store i64 15, ptr @fuel
  %v33 = call ptr addrspace(1) @f1(ptr addrspace(1) %v0) [ "deopt"(i32 20773, i32 40964, i64 %n, i64 %n, ptr addrspace(1) %first, ptr addrspace(1) %v7) ]
  %v34 = icmp eq ptr addrspace(1) %v33, null
  %v35 = select i1 %v34, ptr addrspace(1) %v7, ptr addrspace(1) %v33
  %v36 = getelementptr i8, ptr addrspace(1) %v35, i64 24
  %v37 = load i64, ptr addrspace(1) %v36
  %v38 = load i64, ptr %sum
  %v39 = mul i64 %v38, 31
  %v40 = xor i64 %v39, %v37
  store i64 %v40, ptr %sum
  %v41 = load ptr addrspace(1), ptr addrspace(1) %v35
  %v42 = call ptr @smd.gc.pin(ptr addrspace(1) %v41)
  %v45 = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %first) [ "deopt"(i32 20773, i32 13060, ptr addrspace(1) %v4, i64 %n, ptr addrspace(1) %v4, i64 %n) ]
  %v43 = getelementptr i8, ptr %v42, i64 24
  %v44 = load i64, ptr %v43
  %v46 = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %v7)
  store i64 %n, ptr %v43
  call void @smd.gc.unpin(ptr %v42)
  %v47 = and i64 711, 3
  %v48 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v47, i32 1
  %v49 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v47, i32 0
  store ptr addrspace(1) %v41, ptr %v48
  store i64 1, ptr %v49
  %v50 = getelementptr i8, ptr addrspace(1) %v41, i64 24
  %v51 = load i64, ptr addrspace(1) %v50
  %v52 = load i64, ptr %sum
  %v53 = mul i64 %v52, 31
  %v54 = xor i64 %v53, %v51
  store i64 %v54, ptr %sum
  %v55 = getelementptr %node, ptr addrspace(1) %v45, i64 0, i32 1, i64 0
  %v56 = load i64, ptr addrspace(1) %v55
  %v57 = load i64, ptr %sum
  %v58 = mul i64 %v57, 31
  %v59 = xor i64 %v58, %v56
  store i64 %v59, ptr %sum
  %v60 = getelementptr %node, ptr addrspace(1) %v35, i64 0, i32 1, i64 0
  %v61 = load i64, ptr addrspace(1) %v60
  %v62 = load i64, ptr %sum
  %v63 = mul i64 %v62, 31
  %v64 = xor i64 %v63, %v61
  store i64 %v64, ptr %sum
  store i64 20, ptr @fuel
  %v65 = call ptr addrspace(1) @f2(ptr addrspace(1) %v45, i64 4096, ptr addrspace(1) %v33)
  %v66 = icmp eq ptr addrspace(1) %v65, null
  %v67 = select i1 %v66, ptr addrspace(1) %v41, ptr addrspace(1) %v65
  %v68 = getelementptr i8, ptr addrspace(1) %v67, i64 24
  %v69 = load i64, ptr addrspace(1) %v68
  %v70 = load i64, ptr %sum
  %v71 = mul i64 %v70, 31
  %v72 = xor i64 %v71, %v69
  store i64 %v72, ptr %sum
  %v73 = getelementptr %node, ptr addrspace(1) %v45, i64 0, i32 1, i64 0
  %v74 = load i64, ptr addrspace(1) %v73
  %v75 = load i64, ptr %sum
  %v76 = mul i64 %v75, 31
  %v77 = xor i64 %v76, %v74
  store i64 %v77, ptr %sum
  %v78 = icmp eq ptr addrspace(1) %v65, null
  %v79 = select i1 %v78, ptr addrspace(1) %v67, ptr addrspace(1) %v65
  %v80 = getelementptr %node, ptr addrspace(1) %v79, i64 0, i32 1, i64 0
  %v81 = load i64, ptr addrspace(1) %v80
  %v82 = load i64, ptr %sum
  %v83 = mul i64 %v82, 31
  %v84 = xor i64 %v83, %v81
  store i64 %v84, ptr %sum
  %v85 = extractelement <2 x ptr addrspace(1)> %v3, i32 0
  %v86 = getelementptr %node, ptr addrspace(1) %v85, i64 0, i32 1, i64 0
  %v87 = load i64, ptr addrspace(1) %v86
  %v88 = load i64, ptr %sum
  %v89 = mul i64 %v88, 31
  %v90 = xor i64 %v89, %v87
  store i64 %v90, ptr %sum
  %v91 = extractelement <2 x ptr addrspace(1)> %v3, i32 1
  %v92 = getelementptr %node, ptr addrspace(1) %v91, i64 0, i32 1, i64 0
  %v93 = load i64, ptr addrspace(1) %v92
  %v94 = load i64, ptr %sum
  %v95 = mul i64 %v94, 31
  %v96 = xor i64 %v95, %v93
  store i64 %v96, ptr %sum
  store i64 5, ptr @fuel
  %v97 = call i64 @listed(ptr addrspace(1) %v45, i64 %v44) [ "deopt"(i32 20773, i32 1, i64 %n) ]
  %v98 = load i64, ptr %sum
  %v99 = mul i64 %v98, 31
  %v100 = xor i64 %v99, %v97
  store i64 %v100, ptr %sum
  %v101 = getelementptr i8, ptr addrspace(1) %v7, <2 x i64> <i64 48, i64 80>
  %v102 = call <2 x i64> @llvm.masked.gather.v2i64.v2p1(<2 x ptr addrspace(1)> %v101, i32 8, <2 x i1> <i1 true, i1 true>, <2 x i64> zeroinitializer)
  %v103 = extractelement <2 x i64> %v102, i32 1
  %v104 = icmp eq ptr addrspace(1) %v5, null
  %v105 = select i1 %v104, ptr addrspace(1) %v45, ptr addrspace(1) %v5
  %v106 = getelementptr i8, ptr addrspace(1) %v105, i64 24
  %v107 = load i64, ptr addrspace(1) %v106
  %v108 = load i64, ptr %sum
  %v109 = mul i64 %v108, 31
  %v110 = xor i64 %v109, %v107
  store i64 %v110, ptr %sum
  %v111 = getelementptr %node, ptr addrspace(1) %v67, i64 0, i32 1, i64 0
  %v112 = load i64, ptr addrspace(1) %v111
  %v113 = load i64, ptr %sum
  %v114 = mul i64 %v113, 31
  %v115 = xor i64 %v114, %v112
  store i64 %v115, ptr %sum
  %v116 = load i64, ptr %sum
  %v117 = mul i64 %v116, 31
  %v118 = xor i64 %v117, %n
  store i64 %v118, ptr %sum
  store i64 19, ptr @fuel
  %v119 = call i64 @reentered(ptr addrspace(1) %v41, i64 %v44)
  %v120 = load i64, ptr %sum
  %v121 = mul i64 %v120, 31
  %v122 = xor i64 %v121, %v119
  store i64 %v122, ptr %sum
  %v123 = getelementptr i8, ptr addrspace(1) %v45, i64 24
  %v124 = load i64, ptr addrspace(1) %v123
  %v125 = load i64, ptr %sum
  %v126 = mul i64 %v125, 31
  %v127 = xor i64 %v126, %v124
  store i64 %v127, ptr %sum
  %v128 = getelementptr i8, ptr addrspace(1) %v46, i64 24
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = load i64, ptr %sum
  %v131 = mul i64 %v130, 31
  %v132 = xor i64 %v131, %v129
  store i64 %v132, ptr %sum
  %v133 = icmp eq ptr addrspace(1) %v33, null
  %v134 = select i1 %v133, ptr addrspace(1) %v35, ptr addrspace(1) %v33
  %v135 = getelementptr i8, ptr addrspace(1) %v134, i64 24
  %v136 = load i64, ptr addrspace(1) %v135
  %v137 = load i64, ptr %sum
  %v138 = mul i64 %v137, 31
  %v139 = xor i64 %v138, %v136
  store i64 %v139, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v134)
  call void @keep(i64 1, ptr addrspace(1) %v134)
  %v140 = load i64, ptr %sum
  ret i64 %v140
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
