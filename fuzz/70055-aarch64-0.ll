; random: target=aarch64-unknown-linux-gnu opt=0 poll=tls:poll_thread:8 safepoints=entry frame_pointer=non-leaf code_model=large all_backedges=true split_backedges=true counted_loop_bits=64 stackmap_format=compact elide=none
; compile: codegen_failed: LLVM ERROR: ELF TLS only supported in small memory model or in local exec TLS model (in the stage 'emit')
; seed 70055
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
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@code = global [5 x ptr] [ptr @f0, ptr @f1, ptr @f2, ptr @listed, ptr @reentered], align 16
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

define internal ptr addrspace(1) @inlined(ptr addrspace(1) %o, i64 %n) alwaysinline gc "coreclr" {
  %scoped = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %scoped, ptr null)
  store ptr addrspace(1) %o, ptr %scoped
  %slot = getelementptr i8, ptr addrspace(1) %o, i64 16
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %o, ptr addrspace(1) %slot)
  call void @collect()
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

define internal { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %env, ptr %code) noinline gc "coreclr" {
  %a = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %env, 0
  %b = insertvalue { ptr addrspace(1), ptr } %a, ptr %code, 1
  call void @collect()
  ret { ptr addrspace(1), ptr } %b
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

define internal i64 @f0(ptr addrspace(1) %p0, <4 x i32> %p1, i32 %p2) nounwind gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %tagged.scoped = alloca i64
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
  %v3 = call ptr addrspace(1) asm "", "=r,0"(ptr addrspace(1) %p0)
  %v5 = getelementptr i8, ptr addrspace(1) %v3, i64 0
  %v7 = getelementptr i8, ptr addrspace(1) %v5, i64 24
  %v8 = call ptr addrspace(1) @"same.ptr addrspace(1)"(ptr addrspace(1) %v7)
  %v10 = call ptr addrspace(1) @"same.ptr addrspace(1)"(ptr addrspace(1) %v7)
  %v12 = getelementptr [5 x ptr], ptr @code, i64 0, i64 0
  %v15 = icmp ne i64 1431655765, 1431655765
  %v13 = getelementptr ptr, ptr %v12, i64 0
  %v16 = load ptr, ptr %v13
  %v14 = select i1 %v15, ptr %v16, ptr @f0
  %v17 = call i64 %v14(ptr addrspace(1) %v3, <4 x i32> %p1, i32 %p2)
  %v18 = select i1 %v15, ptr addrspace(1) %v8, ptr addrspace(1) %v7
  %v19 = call i64 @reenter(ptr addrspace(1) %p0, i64 474)
  call void @keep(i64 1, ptr addrspace(1) %p0)
  %v20 = load i64, ptr %sum
  %v21 = mul i64 %v20, 31
  %v22 = xor i64 %v21, %v19
  store i64 %v22, ptr %sum
  %v23 = load i64, ptr %sum
  %v24 = mul i64 %v23, 31
  %v25 = xor i64 %v24, %v19
  store i64 %v25, ptr %sum
  %v26 = load i64, ptr addrspace(1) %v10
  %v27 = load i64, ptr %sum
  %v28 = mul i64 %v27, 31
  %v29 = xor i64 %v28, %v26
  store i64 %v29, ptr %sum
  %v30 = load i64, ptr %sum
  ret i64 %v30
}

define internal i64 @f1(ptr addrspace(1) %p0, ptr addrspace(3) %p1, i64 %p2) gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %tagged.scoped = alloca i64
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
  %v3 = call i64 @reenter(ptr addrspace(1) %p0, i64 %p2)
  %v6 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v7 = getelementptr ptr, ptr %v6, i64 0
  %v8 = load ptr, ptr %v7
  %v10 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %p0, ptr %v8)
  %v4 = extractvalue { ptr addrspace(1), ptr } %v10, 0
  %v5 = extractvalue { ptr addrspace(1), ptr } %v10, 1
  %v11 = call i64 %v5(ptr addrspace(1) %v4, i64 %v3)
  %v14 = trunc i64 %p2 to i32
  %v12 = insertelement <4 x i32> zeroinitializer, i32 %v14, i32 2
  %v13 = add <4 x i32> %v12, <i32 1, i32 2, i32 3, i32 46>
  %v15 = call i64 @f0(ptr addrspace(1) %p0, <4 x i32> %v13, i32 %v14)
  %v16 = call i64 @reenter(ptr addrspace(1) %p0, i64 %v11)
  %a18 = alloca ptr addrspace(1)
  store ptr addrspace(1) %p0, ptr %a18
  %b18 = cmpxchg ptr %a18, ptr addrspace(1) %p0, ptr addrspace(1) %p0 seq_cst seq_cst
  %v17 = extractvalue { ptr addrspace(1), i1 } %b18, 0
  %v19 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v17, i64 -8)
  %v21 = getelementptr i8, ptr addrspace(1) %v17, i64 24
  %v22 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v21, i64 -8)
  %v24 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v17, ptr %v24
  %v25 = call ptr @llvm.strip.invariant.group.p0(ptr %v24)
  %v27 = addrspacecast ptr addrspace(1) %v17 to ptr addrspace(3)
  %v28 = getelementptr i8, ptr addrspace(3) %v27, i64 40
  %v29 = atomicrmw add ptr addrspace(3) %v28, i64 %v15 seq_cst
  %v30 = addrspacecast ptr addrspace(1) %v17 to ptr addrspace(3)
  %v31 = call ptr addrspace(1) @make(i64 %v16, ptr addrspace(1) %p0)
  %v33 = and i64 %v11, 7
  %v32 = call i64 @shake(ptr addrspace(1) %v31, i64 %v33)
  %v37 = invoke i64 @reentered(ptr addrspace(1) %v17, i64 %p2) to label %b34 unwind label %b35
b34:
  %v38 = icmp ugt i64 %v29, 85
  %v43 = getelementptr i8, ptr addrspace(1) %v17, i64 16
  br i1 %v38, label %b40, label %b42
b40:
  %v48 = invoke i64 @listed(ptr addrspace(1) %v31, i64 %v29) to label %b44 unwind label %b46
b44:
  %v49 = addrspacecast ptr addrspace(1) %v31 to ptr addrspace(3)
  call void @collect()
  call void @collect()
  store ptr addrspace(1) %p0, ptr %v24
  %v51 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v52 = load [2 x ptr], ptr %v51
  %v53 = extractvalue [2 x ptr] %v52, 1
  %v54 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %p0, 0
  %v55 = insertvalue { ptr addrspace(1), ptr } %v54, ptr %v53, 1
  %v56 = extractvalue { ptr addrspace(1), ptr } %v55, 1
  %v50 = invoke i64 %v56(ptr addrspace(1) %v17, i64 130) to label %b45 unwind label %b46
b45:
  br label %b47
b46:
  %v57 = phi ptr addrspace(1) [ %v21, %b40 ], [ %v21, %b44 ]
  %v58 = landingpad token cleanup
  %v59 = call ptr addrspace(1) @caught()
  %v60 = getelementptr %node, ptr addrspace(1) %v59, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v31, ptr addrspace(1) %v60
  %v61 = select i1 %v38, i64 %v16, i64 %v37
  %v62 = load i64, ptr %sum
  ret i64 %v62
b47:
  %v66 = invoke ptr addrspace(1) @inlined(ptr addrspace(1) %v19, i64 %v15) to label %b63 unwind label %b64
b63:
  %v67 = addrspacecast ptr addrspace(1) %v17 to ptr addrspace(3)
  %v69 = call ptr addrspace(1) @make(i64 88, ptr addrspace(1) %p0)
  call void @collect()
  %v68 = getelementptr i8, ptr addrspace(3) %v67, i64 16
  %v70 = atomicrmw xchg ptr addrspace(3) %v68, ptr addrspace(1) %v66 seq_cst
  %v71 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v31, ptr %v71
  %v73 = call ptr addrspace(1) @make(i64 %v29, ptr addrspace(1) %v19)
  br label %b65
b64:
  %v74 = landingpad token cleanup
  %v75 = call ptr addrspace(1) @caught()
  %v76 = select i1 %v38, ptr addrspace(1) %v31, ptr addrspace(1) %v17
  %v77 = call ptr @llvm.strip.invariant.group.p0(ptr %v24)
  %v79 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v17)
  %v81 = call ptr addrspace(1) @"same.ptr addrspace(1)"(ptr addrspace(1) %v17)
  %v83 = freeze ptr addrspace(1) %v76
  br label %b65
b65:
  %v85 = phi ptr addrspace(1) [ %v17, %b63 ], [ %v17, %b64 ]
  %v86 = getelementptr i8, ptr addrspace(1) %v19, i64 40
  br label %b42
b42:
  %v87 = phi ptr addrspace(1) [ %v43, %b34 ], [ %v43, %b65 ]
  %v88 = call ptr addrspace(1) @inlined(ptr addrspace(1) %p0, i64 %v15)
  %v89 = call i64 @smd.gc.to_int(ptr addrspace(1) %v17)
  %v90 = or i64 %v89, 4
  %v91 = call ptr addrspace(1) @smd.gc.from_int(i64 %v90)
  br label %b36
b35:
  %v92 = landingpad token cleanup
  %v93 = call ptr addrspace(1) @caught()
  %v94 = load ptr addrspace(1), ptr %v24
  br label %b36
b36:
  %v95 = phi ptr addrspace(1) [ %v31, %b42 ], [ %v93, %b35 ]
  %v96 = call i64 @reenter(ptr addrspace(1) %v17, i64 %v29)
  %v97 = getelementptr i8, ptr addrspace(1) %v95, i64 24
  %v98 = load i64, ptr addrspace(1) %v97
  %v99 = load i64, ptr %sum
  %v100 = mul i64 %v99, 31
  %v101 = xor i64 %v100, %v98
  store i64 %v101, ptr %sum
  %v102 = load i64, ptr %sum
  %v103 = mul i64 %v102, 31
  %v104 = xor i64 %v103, %p2
  store i64 %v104, ptr %sum
  %v105 = load i64, ptr %sum
  %v106 = mul i64 %v105, 31
  %v107 = xor i64 %v106, %v11
  store i64 %v107, ptr %sum
  %v108 = load i64, ptr %sum
  call void @note(i64 %v108)
  call void @throw_value(ptr addrspace(1) %v95)
  unreachable
}

define internal i64 @f2(ptr addrspace(1) %p0, ptr addrspace(1) %p1, <4 x i32> %p2, ptr addrspace(1) %p3) gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %tagged.scoped = alloca i64
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
  %v3 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v6 = icmp ugt i64 698, 456
  %v4 = getelementptr ptr, ptr %v3, i64 1
  %v7 = load ptr, ptr %v4
  %v5 = select i1 %v6, ptr %v7, ptr @reentered
  %v8 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %p0, 0
  %v9 = insertvalue { ptr addrspace(1), ptr } %v8, ptr %v5, 1
  %v10 = freeze { ptr addrspace(1), ptr } %v9
  %v11 = extractvalue { ptr addrspace(1), ptr } %v9, 0
  %v12 = extractvalue { ptr addrspace(1), ptr } %v9, 1
  %v16 = invoke i64 %v12(ptr addrspace(1) %v11, i64 561) to label %b13 unwind label %b14
b13:
  store { ptr addrspace(1), ptr } %v9, ptr %closure
  call void @collect()
  %v17 = load { ptr addrspace(1), ptr }, ptr %closure
  %v18 = call ptr addrspace(1) @kept(i64 1)
  %v19 = select i1 %v6, i64 %v16, i64 %v16
  br label %b15
b14:
  %v20 = landingpad token cleanup
  %v21 = call ptr addrspace(1) @caught()
  %v22 = getelementptr i8, ptr addrspace(1) %v21, i64 8
  store ptr addrspace(1) %p3, ptr addrspace(1) %v22
  %v23 = call ptr addrspace(1) @kept(i64 0)
  br label %b15
b15:
  %v24 = call i64 @reentered(ptr addrspace(1) %p0, i64 445)
  %v25 = icmp ne ptr addrspace(1) %p3, %p1
  %v26 = load i64, ptr %sum
  %v27 = mul i64 %v26, 31
  %v28 = xor i64 %v27, %v24
  store i64 %v28, ptr %sum
  %v29 = icmp eq ptr addrspace(1) %p1, null
  %v30 = select i1 %v29, ptr addrspace(1) %p0, ptr addrspace(1) %p1
  %v31 = getelementptr i8, ptr addrspace(1) %v30, i64 24
  %v32 = load i64, ptr addrspace(1) %v31
  %v33 = load i64, ptr %sum
  %v34 = mul i64 %v33, 31
  %v35 = xor i64 %v34, %v32
  store i64 %v35, ptr %sum
  %v36 = zext i1 %v25 to i64
  %v37 = load i64, ptr %sum
  %v38 = mul i64 %v37, 31
  %v39 = xor i64 %v38, %v36
  store i64 %v39, ptr %sum
  %v40 = load i64, ptr %sum
  ret i64 %v40
}

define i64 @listed(ptr addrspace(1) %p0, i64 %p1) gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %tagged.scoped = alloca i64
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
  %a4 = alloca ptr addrspace(1)
  store ptr addrspace(1) %p0, ptr %a4
  %v3 = atomicrmw xchg ptr %a4, ptr addrspace(1) %p0 seq_cst
  %a6 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v3, ptr %a6
  %v5 = atomicrmw xchg ptr %a6, ptr addrspace(1) %v3 seq_cst
  %v7 = getelementptr i8, ptr addrspace(1) %v3, i64 24
  %v8 = freeze ptr addrspace(1) %v7
  %v10 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v11 = or i64 %v10, 2
  %v12 = call i64 @"same.i64"(i64 %v11)
  %v14 = call ptr addrspace(1) @turns(ptr addrspace(1) %p0, i64 %p1)
  %v15 = getelementptr i8, ptr addrspace(1) %p0, i64 0
  %a18 = xor i64 %v12, 5
  %v17 = xor i64 %a18, 5
  %v19 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v7)
  %v21 = alloca ptr addrspace(1)
  store ptr addrspace(1) %p0, ptr %v21
  %v22 = getelementptr i8, ptr %v21, i64 0
  %v27 = invoke i64 @listed(ptr addrspace(1) %v15, i64 %p1) to label %b24 unwind label %b25
b24:
  %v28 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  %v29 = call ptr addrspace(1) @make(i64 %v27, ptr addrspace(1) %v14)
  call void @llvm.gc.declare(ptr %scoped0, ptr inttoptr (i64 7 to ptr))
  %v31 = getelementptr i8, ptr %scoped0, i64 0
  store ptr addrspace(1) %v14, ptr %v31
  %v32 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v29)
  %v30 = load ptr addrspace(1), ptr %v31
  call void @llvm.gc.undeclare(ptr %scoped0)
  store i64 %v27, ptr addrspace(1) %v7
  %v33 = call i64 @smd.gc.to_int(ptr addrspace(1) %v29)
  %v34 = or i64 %v33, 2
  %v35 = call ptr addrspace(1) @smd.gc.from_int(i64 %v34)
  br label %b26
b25:
  %v36 = landingpad token cleanup
  %v37 = call ptr addrspace(1) @caught()
  %v38 = icmp ne ptr addrspace(1) %v3, %v3
  %v41 = trunc i64 4096 to i32
  %v39 = insertelement <4 x i32> zeroinitializer, i32 %v41, i32 0
  %v40 = add <4 x i32> %v39, <i32 1, i32 2, i32 3, i32 82>
  %v42 = shufflevector <4 x i32> %v40, <4 x i32> %v40, <4 x i32> <i32 3, i32 5, i32 2, i32 6>
  %v43 = addrspacecast ptr addrspace(1) %v15 to ptr addrspace(3)
  %v44 = getelementptr i8, ptr addrspace(3) %v43, i64 40
  %v45 = load i64, ptr addrspace(3) %v44
  %v46 = icmp eq ptr addrspace(1) %p0, %v14
  call void @note(i64 %v45)
  br label %b26
b26:
  %v47 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  %v49 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v3)
  call void @collect()
  %v48 = getelementptr i8, ptr addrspace(3) %v47, i64 40
  %v50 = atomicrmw add ptr addrspace(3) %v48, i64 %p1 seq_cst
  %v51 = icmp eq ptr addrspace(1) %v14, null
  %v52 = select i1 %v51, ptr addrspace(1) %v15, ptr addrspace(1) %v14
  %v54 = getelementptr %node, ptr addrspace(1) %v52, i64 0, i32 1, i64 6
  %v53 = load i64, ptr addrspace(1) %v54
  %v55 = load i64, ptr %sum
  %v56 = mul i64 %v55, 31
  %v57 = xor i64 %v56, %v50
  store i64 %v57, ptr %sum
  %v58 = getelementptr %node, ptr addrspace(1) %v49, i64 0, i32 1, i64 0
  %v59 = load i64, ptr addrspace(1) %v58
  %v60 = load i64, ptr %sum
  %v61 = mul i64 %v60, 31
  %v62 = xor i64 %v61, %v59
  store i64 %v62, ptr %sum
  %v63 = getelementptr %node, ptr addrspace(1) %v49, i64 0, i32 1, i64 0
  %v64 = load i64, ptr addrspace(1) %v63
  %v65 = load i64, ptr %sum
  %v66 = mul i64 %v65, 31
  %v67 = xor i64 %v66, %v64
  store i64 %v67, ptr %sum
  %v68 = load i64, ptr %sum
  call void @note(i64 %v68)
  call void @throw_value(ptr addrspace(1) %p0)
  unreachable
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %tagged.scoped = alloca i64
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
  %v3 = and i64 %p1, 3
  %v4 = add i64 %v3, 1
  %v5 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 %v4
  %v8 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v9 = getelementptr ptr, ptr %v8, i64 0
  %v10 = load ptr, ptr %v9
  %v12 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %p0, ptr %v10)
  %v6 = extractvalue { ptr addrspace(1), ptr } %v12, 0
  %v7 = extractvalue { ptr addrspace(1), ptr } %v12, 1
  %v16 = invoke i64 %v7(ptr addrspace(1) %v6, i64 %p1) to label %b13 unwind label %b14
b13:
  %v17 = call ptr addrspace(1) @late(ptr addrspace(1) %p0, i64 %p1)
  %v19 = getelementptr %node, ptr addrspace(1) %v17, i64 0, i32 0, i64 1
  %v18 = load ptr addrspace(1), ptr addrspace(1) %v19
  %v20 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  br label %b15
b14:
  %v21 = landingpad token cleanup
  %v22 = call ptr addrspace(1) @caught()
  %v29 = trunc i64 %p1 to i32
  %v27 = insertelement <4 x i32> zeroinitializer, i32 %v29, i32 1
  %v28 = add <4 x i32> %v27, <i32 1, i32 2, i32 3, i32 70>
  %v26 = invoke i64 @f2(ptr addrspace(1) %p0, ptr addrspace(1) %v22, <4 x i32> %v28, ptr addrspace(1) %v22) to label %b23 unwind label %b24
b23:
  %v30 = select i1 true, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v32 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %v5, ptr null, ptr null, i32 0, ptr null)
  %v34 = alloca ptr addrspace(1)
  store ptr addrspace(1) %p0, ptr %v34
  %v35 = call ptr @llvm.launder.invariant.group.p0(ptr %v34)
  %v37 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %v22, ptr null, ptr null, i32 0, ptr null)
  %v39 = call i64 @f0(ptr addrspace(1) %v22, <4 x i32> %v28, i32 %v29)
  %v43 = invoke ptr addrspace(1) @inlined(ptr addrspace(1) %v22, i64 %v39) to label %b40 unwind label %b41
b40:
  %v44 = load ptr addrspace(1), ptr addrspace(1) %v30
  call void @llvm.gc.value.p1(ptr addrspace(1) %v44, ptr null)
  call void @collect()
  %v45 = addrspacecast ptr addrspace(1) %v43 to ptr addrspace(3)
  call void @collect()
  br label %b42
b41:
  %v46 = landingpad token cleanup
  %v47 = call ptr addrspace(1) @caught()
  %v48 = and i64 %p1, 3
  %v49 = add i64 %v48, 3
  %v50 = getelementptr %node, ptr addrspace(1) %v22, i64 0, i32 1, i64 %v49
  %v51 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %v37, ptr null, ptr null, i32 0, ptr null)
  %a54 = insertvalue { i32, ptr addrspace(1) } poison, ptr addrspace(1) %v51, 1
  %v53 = extractvalue { i32, ptr addrspace(1) } %a54, 1
  %v55 = call ptr addrspace(1) @"same.ptr addrspace(1)"(ptr addrspace(1) %v50)
  %v57 = select i1 true, ptr %v34, ptr %v34
  br label %b42
b42:
  br label %b25
b24:
  %v59 = landingpad token cleanup
  %v60 = call ptr addrspace(1) @caught()
  %v64 = invoke ptr addrspace(1) @inlined(ptr addrspace(1) %p0, i64 %p1) to label %b61 unwind label %b62
b61:
  %v66 = and i64 %p1, 7
  %v65 = call i64 @stir(ptr addrspace(1) %v22, i64 %v66)
  br label %b63
b62:
  %v67 = landingpad token cleanup
  %v68 = call ptr addrspace(1) @caught()
  call void @note(i64 %p1)
  %v69 = addrspacecast ptr addrspace(1) %v60 to ptr addrspace(3)
  %v70 = addrspacecast ptr addrspace(3) %v69 to ptr addrspace(1)
  %v71 = load ptr addrspace(1), ptr addrspace(1) %v70
  call void @llvm.gc.value.p1(ptr addrspace(1) %v71, ptr null)
  %v72 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v60)
  br label %b63
b63:
  %v73 = and i64 %p1, 3
  %v74 = add i64 %v73, 0
  %v75 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 %v74
  %v76 = getelementptr %node, ptr addrspace(1) %v22, i64 0, i32 0, i64 1
  %v78 = cmpxchg ptr addrspace(1) %v76, ptr addrspace(1) %v22, ptr addrspace(1) null acq_rel monotonic
  %v77 = extractvalue { ptr addrspace(1), i1 } %v78, 0
  %v79 = extractvalue { ptr addrspace(1), i1 } %v78, 1
  br label %b25
b25:
  %v80 = phi ptr addrspace(1) [ %v5, %b42 ], [ %v75, %b63 ]
  call void @llvm.gc.declare(ptr %scoped1, ptr null)
  %v82 = getelementptr i8, ptr %scoped1, i64 8
  store ptr addrspace(1) %p0, ptr %v82
  call void @collect()
  call void @collect()
  %v81 = load ptr addrspace(1), ptr %v82
  call void @llvm.gc.undeclare(ptr %scoped1)
  %v87 = addrspacecast ptr addrspace(1) %v81 to ptr addrspace(3)
  %v86 = invoke i64 @f1(ptr addrspace(1) %v81, ptr addrspace(3) %v87, i64 %p1) to label %b83 unwind label %b84
b83:
  %v88 = load ptr addrspace(1), ptr addrspace(1) %p0
  call void @llvm.gc.value.p1(ptr addrspace(1) %v88, ptr null)
  %v89 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v81)
  %v90 = call ptr addrspace(1) @late(ptr addrspace(1) %p0, i64 %v86)
  %v91 = call i64 @smd.gc.to_int(ptr addrspace(1) %v81)
  %v92 = or i64 %v91, 7
  call void @llvm.gc.declare(ptr %tagged.scoped, ptr null)
  %v93 = bitcast i64 %v92 to double
  store double %v93, ptr %tagged.scoped
  call void @collect()
  call void @collect()
  %v94 = load i64, ptr %tagged.scoped
  call void @llvm.gc.undeclare(ptr %tagged.scoped)
  br label %b85
b84:
  %v96 = landingpad token cleanup
  %v97 = call ptr addrspace(1) @caught()
  %v98 = call ptr addrspace(1) @late(ptr addrspace(1) %v22, i64 896)
  br label %b85
b85:
  br label %b15
b15:
  %v99 = phi ptr addrspace(3) [ %v20, %b13 ], [ %v87, %b85 ]
  %v100 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v5)
  %v101 = load i64, ptr %sum
  %v102 = mul i64 %v101, 31
  %v103 = xor i64 %v102, %p1
  store i64 %v103, ptr %sum
  %v105 = and i64 %p1, 3
  %v104 = getelementptr i64, ptr addrspace(1) %v100, i64 %v105
  %v106 = call ptr addrspace(1) @turns(ptr addrspace(1) %p0, i64 %p1)
  %v107 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v108 = getelementptr ptr, ptr %v107, i64 1
  %v109 = load ptr, ptr %v108
  %v110 = call i64 %v109(ptr addrspace(1) %p0, i64 %p1)
  call void @llvm.gc.declare(ptr %scoped0, ptr null)
  %v112 = getelementptr i8, ptr %scoped0, i64 0
  store ptr addrspace(1) %v106, ptr %v112
  %v113 = call ptr addrspace(1) @make(i64 %v110, ptr addrspace(1) %v106)
  call void @collect()
  %v111 = load ptr addrspace(1), ptr %v112
  call void @llvm.gc.undeclare(ptr %scoped0)
  %v114 = load i64, ptr addrspace(1) %v104
  %v115 = load i64, ptr %sum
  %v116 = mul i64 %v115, 31
  %v117 = xor i64 %v116, %v114
  store i64 %v117, ptr %sum
  %v118 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v119 = load i64, ptr addrspace(1) %v118
  %v120 = load i64, ptr %sum
  %v121 = mul i64 %v120, 31
  %v122 = xor i64 %v121, %v119
  store i64 %v122, ptr %sum
  %v123 = load i64, ptr %sum
  %v124 = mul i64 %v123, 31
  %v125 = xor i64 %v124, %p1
  store i64 %v125, ptr %sum
  %v126 = load i64, ptr %sum
  ret i64 %v126
}

define i64 @program(i64 %n) gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %scoped0 = alloca ptr addrspace(1)
  %scoped1 = alloca { i64, ptr addrspace(1) }
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  %tagged.scoped = alloca i64
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 104, i64 3)
  %v1 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  store ptr addrspace(1) %first, ptr addrspace(1) %v0
  store i64 716, ptr addrspace(1) %v1
  store i64 20, ptr @fuel
  %v4 = trunc i64 %n to i32
  %v2 = insertelement <4 x i32> zeroinitializer, i32 %v4, i32 3
  %v3 = add <4 x i32> %v2, <i32 1, i32 2, i32 3, i32 69>
  %v5 = getelementptr [5 x ptr], ptr @code, i64 0, i64 0
  %v6 = load [2 x ptr], ptr %v5
  %v7 = extractvalue [2 x ptr] %v6, 0
  %v8 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %first, 0
  %v9 = insertvalue { ptr addrspace(1), ptr } %v8, ptr %v7, 1
  %v10 = extractvalue { ptr addrspace(1), ptr } %v9, 1
  %v11 = call i64 %v10(ptr addrspace(1) %v0, <4 x i32> %v3, i32 %v4)
  %v12 = load i64, ptr %sum
  %v13 = mul i64 %v12, 31
  %v14 = xor i64 %v13, %v11
  store i64 %v14, ptr %sum
  %v15 = call i64 @smd.gc.to_int(ptr addrspace(1) %first)
  %v16 = or i64 %v15, 1
  %v17 = call ptr addrspace(1) @smd.gc.from_int(i64 %v16)
  %v18 = call i64 @smd.gc.to_int(ptr addrspace(1) %v17)
  %v19 = or i64 %v18, 5
  %v20 = call ptr addrspace(1) @smd.gc.from_int(i64 %v19)
  %v21 = call ptr addrspace(1) @smd.gc.from_int(i64 %v16)
  %v22 = getelementptr %node, ptr addrspace(1) %v21, i64 0, i32 1, i64 0
  %v23 = load i64, ptr addrspace(1) %v22
  %v24 = load i64, ptr %sum
  %v25 = mul i64 %v24, 31
  %v26 = xor i64 %v25, %v23
  store i64 %v26, ptr %sum
  %v27 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  %v28 = load i64, ptr addrspace(1) %v27
  %v29 = load i64, ptr %sum
  %v30 = mul i64 %v29, 31
  %v31 = xor i64 %v30, %v28
  store i64 %v31, ptr %sum
  %v32 = getelementptr %node, ptr addrspace(1) %v17, i64 0, i32 1, i64 0
  %v33 = load i64, ptr addrspace(1) %v32
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %v33
  store i64 %v36, ptr %sum
  store i64 5, ptr @fuel
  %v41 = addrspacecast ptr addrspace(1) %v20 to ptr addrspace(3)
  %v40 = invoke i64 @f1(ptr addrspace(1) %v20, ptr addrspace(3) %v41, i64 %n) to label %b37 unwind label %b38
b37:
  %v42 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v17, ptr %v42
  %v43 = freeze ptr %v42
  %v45 = getelementptr i8, ptr addrspace(1) %v20, i64 24
  %v46 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v45, i64 -8)
  %v48 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v45)
  %v50 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v20, i64 -8)
  %v52 = load ptr addrspace(1), ptr addrspace(1) %v17
  call void @llvm.gc.value.p1(ptr addrspace(1) %v52, ptr null)
  call void @collect()
  call void @collect()
  %v53 = icmp ult i64 %n, %v11
  br i1 %v53, label %b55, label %b56
b55:
  %v58 = call ptr addrspace(1) @smd.gc.from_int(i64 %v16)
  %v59 = getelementptr i8, ptr addrspace(1) %v58, i64 24
  %v60 = load i64, ptr addrspace(1) %v59
  %v61 = load i64, ptr %sum
  %v62 = mul i64 %v61, 31
  %v63 = xor i64 %v62, %v60
  store i64 %v63, ptr %sum
  %v64 = call ptr addrspace(1) @late(ptr addrspace(1) %v50, i64 %v40)
  %v65 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v50, i64 -8)
  %a68 = insertvalue { i32, ptr addrspace(1) } poison, ptr addrspace(1) %v45, 1
  %v67 = extractvalue { i32, ptr addrspace(1) } %a68, 1
  %v69 = freeze ptr %v42
  %v71 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v45)
  %v73 = call i64 @reentered(ptr addrspace(1) %v0, i64 %v40)
  %v77 = invoke ptr addrspace(1) @inlined(ptr addrspace(1) %v50, i64 %v40) to label %b74 unwind label %b75
b74:
  %v78 = getelementptr i8, ptr addrspace(1) %v45, i64 4
  %v79 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v78, i64 -8)
  %v80 = getelementptr %node, ptr addrspace(1) %v50, i64 0, i32 0, i64 2
  store ptr addrspace(1) %v17, ptr addrspace(1) %v80
  br label %b76
b75:
  %v81 = landingpad token cleanup
  %v82 = call ptr addrspace(1) @caught()
  store ptr addrspace(1) %v50, ptr addrspace(1) %v82
  store ptr addrspace(1) %first, ptr %v42
  br label %b76
b76:
  br label %b57
b56:
  %v84 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v17, i64 -8)
  %a87 = alloca ptr addrspace(1)
  store volatile ptr addrspace(1) %v17, ptr %a87
  %v86 = load volatile ptr addrspace(1), ptr %a87
  %v88 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v45)
  %v90 = select i1 true, ptr addrspace(1) %v50, ptr addrspace(1) %v50
  %v92 = load i64, ptr addrspace(1) %v88
  %v93 = load i64, ptr %sum
  %v94 = mul i64 %v93, 31
  %v95 = xor i64 %v94, %v92
  store i64 %v95, ptr %sum
  %v98 = call i64 @f0(ptr addrspace(1) %v52, <4 x i32> %v3, i32 %v4)
  call void @note(i64 %v98)
  br label %b57
b57:
  %v99 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 0, i64 2
  %v101 = cmpxchg ptr addrspace(1) %v99, ptr addrspace(1) %v17, ptr addrspace(1) null acq_rel monotonic
  %v100 = extractvalue { ptr addrspace(1), i1 } %v101, 0
  %v102 = extractvalue { ptr addrspace(1), i1 } %v101, 1
  br label %b39
b38:
  %v103 = landingpad token cleanup
  %v104 = call ptr addrspace(1) @caught()
  %v105 = getelementptr i8, ptr addrspace(1) %v20, i64 24
  %v107 = and i64 %v11, 3
  %v106 = getelementptr i64, ptr addrspace(1) %v105, i64 %v107
  %v108 = icmp ugt i64 %n, 0
  br i1 %v108, label %b110, label %b111, !prof !2
b110:
  %v113 = icmp eq i64 %v11, %v11
  %v114 = select i1 %v113, i64 %v11, i64 %v11
  %v115 = getelementptr i8, ptr addrspace(1) %v105, i64 48
  %v116 = call i64 @reenter(ptr addrspace(1) %first, i64 %v11)
  br label %b112
b111:
  %v117 = call ptr addrspace(1) @smd.gc.from_int(i64 %v19)
  %v119 = getelementptr %node, ptr addrspace(1) %v17, i64 0, i32 0, i64 2
  %v118 = load ptr addrspace(1), ptr addrspace(1) %v119
  br label %b112
b112:
  %v120 = sitofp i32 %v4 to double
  %v121 = fsub double %v120, %v120
  %v122 = load i64, ptr addrspace(1) %v106
  %v123 = load i64, ptr %sum
  %v124 = mul i64 %v123, 31
  %v125 = xor i64 %v124, %v122
  store i64 %v125, ptr %sum
  br label %b39
b39:
  %v126 = getelementptr i8, ptr addrspace(1) %first, i64 24
  %v127 = load i64, ptr addrspace(1) %v126
  %v128 = load i64, ptr %sum
  %v129 = mul i64 %v128, 31
  %v130 = xor i64 %v129, %v127
  store i64 %v130, ptr %sum
  %v131 = call ptr addrspace(1) @smd.gc.from_int(i64 %v16)
  %v132 = getelementptr i8, ptr addrspace(1) %v131, i64 24
  %v133 = load i64, ptr addrspace(1) %v132
  %v134 = load i64, ptr %sum
  %v135 = mul i64 %v134, 31
  %v136 = xor i64 %v135, %v133
  store i64 %v136, ptr %sum
  %v137 = zext i32 %v4 to i64
  %v138 = load i64, ptr %sum
  %v139 = mul i64 %v138, 31
  %v140 = xor i64 %v139, %v137
  store i64 %v140, ptr %sum
  store i64 8, ptr @fuel
  %v145 = getelementptr [5 x ptr], ptr @code, i64 0, i64 2
  %v146 = load <2 x ptr>, ptr %v145, align 8
  %v147 = extractelement <2 x ptr> %v146, i32 0
  %v144 = invoke i64 %v147(ptr addrspace(1) %v0, ptr addrspace(1) %v17, <4 x i32> %v3, ptr addrspace(1) %v20) to label %b141 unwind label %b142
b141:
  %v148 = getelementptr i8, ptr addrspace(1) %v17, i64 24
  store <4 x i32> %v3, ptr addrspace(1) %v148, align 8
  %v150 = call ptr addrspace(1) @allocate(i64 96, i64 3)
  %v151 = getelementptr %node, ptr addrspace(1) %v150, i64 0, i32 1, i64 0
  store ptr addrspace(1) %first, ptr addrspace(1) %v150
  store i64 0, ptr addrspace(1) %v151
  %v155 = invoke ptr addrspace(1) @turns(ptr addrspace(1) %v0, i64 %v11) to label %b152 unwind label %b153
b152:
  %v156 = icmp eq ptr addrspace(1) %v155, null
  %v157 = select i1 %v156, ptr addrspace(1) %v17, ptr addrspace(1) %v155
  %v158 = getelementptr %node, ptr addrspace(1) %v157, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v0, ptr addrspace(1) %v158
  %v163 = invoke i64 @f1(ptr addrspace(1) %v150, ptr addrspace(3) %v41, i64 %v144) to label %b159 unwind label %b161
b159:
  %v164 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v165 = getelementptr ptr, ptr %v164, i64 1
  %v166 = load ptr, ptr %v165
  %v167 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %v17, 0
  %v168 = insertvalue { ptr addrspace(1), ptr } %v167, ptr %v166, 1
  %v169 = extractvalue { ptr addrspace(1), ptr } %v168, 1
  %v170 = call i64 %v169(ptr addrspace(1) %v157, i64 %v11)
  %v171 = insertelement <4 x i32> zeroinitializer, i32 %v4, i32 0
  %v172 = add <4 x i32> %v171, <i32 1, i32 2, i32 3, i32 13>
  %v173 = mul <4 x i32> %v172, %v172
  %v175 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v176 = getelementptr ptr, ptr %v175, i64 1
  %v177 = load ptr, ptr %v176
  %v174 = invoke i64 %v177(ptr addrspace(1) %first, i64 64) to label %b160 unwind label %b161
b160:
  br label %b162
b161:
  %v178 = landingpad token cleanup
  %v179 = call ptr addrspace(1) @caught()
  %v180 = freeze i64 %v16
  %a183 = insertvalue { i32, i64 } poison, i64 %v19, 1
  %v182 = extractvalue { i32, i64 } %a183, 1
  %v184 = freeze ptr addrspace(1) %v17
  %v186 = alloca ptr addrspace(1)
  store ptr addrspace(1) null, ptr %v186
  %v187 = select i1 true, ptr %v186, ptr %v186
  %v189 = getelementptr %node, ptr addrspace(1) %v179, i64 0, i32 1, i64 0
  %v190 = load i64, ptr addrspace(1) %v189
  %v191 = load i64, ptr %sum
  %v192 = mul i64 %v191, 31
  %v193 = xor i64 %v192, %v190
  store i64 %v193, ptr %sum
  br label %b162
b162:
  %v194 = phi <4 x i32> [ %v172, %b160 ], [ %v3, %b161 ]
  %v195 = and i64 %v144, 3
  %v196 = add i64 %v195, 4
  %v197 = getelementptr %node, ptr addrspace(1) %v17, i64 0, i32 1, i64 %v196
  %v198 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v199 = load i64, ptr addrspace(1) %v198
  %v200 = load i64, ptr %sum
  %v201 = mul i64 %v200, 31
  %v202 = xor i64 %v201, %v199
  store i64 %v202, ptr %sum
  %v207 = invoke i64 @listed(ptr addrspace(1) %v157, i64 %n) to label %b203 unwind label %b205
b203:
  %v208 = icmp ne i64 %v207, %v144
  %v209 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v210 = getelementptr ptr, ptr %v209, i64 1
  %v212 = load ptr, ptr %v210
  %v211 = select i1 %v208, ptr %v212, ptr @reentered
  %v213 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v17, 0
  %v214 = insertvalue { ptr addrspace(1), ptr } %v213, ptr %v211, 1
  %v215 = select i1 %v208, { ptr addrspace(1), ptr } %v214, { ptr addrspace(1), ptr } %v214
  %v216 = freeze ptr addrspace(1) %v150
  %v217 = invoke i64 @f2(ptr addrspace(1) %v17, ptr addrspace(1) %v20, <4 x i32> %v3, ptr addrspace(1) %v150) to label %b204 unwind label %b205
b204:
  br label %b206
b205:
  %v218 = landingpad token cleanup
  %v219 = call ptr addrspace(1) @caught()
  %v220 = and i64 %v144, 3
  %v221 = add i64 %v220, 3
  %v222 = getelementptr %node, ptr addrspace(1) %v20, i64 0, i32 1, i64 %v221
  br label %b206
b206:
  br label %b154
b153:
  %v223 = landingpad token cleanup
  %v224 = call ptr addrspace(1) @caught()
  %v229 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v0, ptr %v229
  %v231 = getelementptr { i64, [2 x double], ptr }, ptr %tagged.frame, i64 0, i32 1, i64 0
  %v232 = getelementptr { i64, [2 x double], ptr }, ptr %tagged.copy, i64 0, i32 1, i64 0
  store i64 %v16, ptr %v231
  %v234 = call ptr addrspace(1) @make(i64 %v144, ptr addrspace(1) %v20)
  call void @llvm.memcpy.p0.p0.i64(ptr %tagged.copy, ptr %tagged.frame, i64 32, i1 false)
  call void @collect()
  call void @collect()
  %v235 = load i64, ptr %v232
  %v237 = getelementptr i8, ptr addrspace(1) %v148, i64 0
  %v238 = load i64, ptr %sum
  ret i64 %v238
b154:
  %v239 = phi ptr addrspace(1) [ %v148, %b206 ]
  br label %b143
b142:
  %v240 = landingpad token cleanup
  %v241 = call ptr addrspace(1) @caught()
  %v242 = call i64 @reenter(ptr addrspace(1) %v17, i64 %n)
  %v243 = freeze i64 %v19
  %v245 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v17, ptr %v245
  %v246 = call ptr @llvm.launder.invariant.group.p0(ptr %v245)
  %a249 = insertvalue { i32, i64 } poison, i64 %v19, 1
  %v248 = extractvalue { i32, i64 } %a249, 1
  %v250 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %first, ptr null, ptr null, i32 0, ptr null)
  %v252 = load i64, ptr %sum
  ret i64 %v252
b143:
  %v253 = phi ptr addrspace(1) [ %v239, %b154 ]
  call void @note(i64 %v11)
  call void @note(i64 %n)
  %v254 = load i64, ptr %sum
  %v255 = mul i64 %v254, 31
  %v256 = xor i64 %v255, %n
  store i64 %v256, ptr %sum
  %v257 = zext i32 %v4 to i64
  %v258 = load i64, ptr %sum
  %v259 = mul i64 %v258, 31
  %v260 = xor i64 %v259, %v257
  store i64 %v260, ptr %sum
  %v261 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v262 = load i64, ptr addrspace(1) %v261
  %v263 = load i64, ptr %sum
  %v264 = mul i64 %v263, 31
  %v265 = xor i64 %v264, %v262
  store i64 %v265, ptr %sum
  store i64 4, ptr @fuel
  %v270 = getelementptr [5 x ptr], ptr @code, i64 0, i64 3
  %v271 = load [2 x ptr], ptr %v270
  %v272 = extractvalue [2 x ptr] %v271, 0
  %v269 = invoke i64 %v272(ptr addrspace(1) %v17, i64 %n) to label %b266 unwind label %b267
b266:
  %v273 = getelementptr i8, ptr addrspace(1) %v17, i64 16
  %v274 = load ptr addrspace(1), ptr addrspace(1) %v273
  %v275 = icmp eq ptr addrspace(1) %v274, null
  %v276 = select i1 %v275, ptr addrspace(1) %v0, ptr addrspace(1) %v274
  %v277 = getelementptr %node, ptr addrspace(1) %v276, i64 0, i32 1, i64 1
  %v278 = icmp ne ptr addrspace(1) %v0, %v0
  %v279 = select i1 true, ptr addrspace(1) %v0, ptr addrspace(1) %v0
  %v281 = getelementptr i8, ptr addrspace(1) %v20, i64 0
  %v283 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v274, ptr %v283
  %v284 = call ptr @llvm.ptrmask.p0.i64(ptr %v283, i64 -8)
  %v286 = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %v20, i64 -8)
  %v288 = select i1 %v278, ptr addrspace(3) %v41, ptr addrspace(3) %v41
  br label %b268
b267:
  %v291 = landingpad token cleanup
  %v292 = call ptr addrspace(1) @caught()
  %v293 = sub i64 %n, %n
  %v294 = shufflevector <4 x i32> %v3, <4 x i32> %v3, <4 x i32> <i32 7, i32 5, i32 2, i32 1>
  %v295 = load <4 x i32>, ptr addrspace(1) %v253, align 8
  br label %b268
b268:
  %v296 = phi ptr addrspace(1) [ %v20, %b266 ], [ %v17, %b267 ]
  %v297 = getelementptr i8, ptr addrspace(1) %v296, i64 24
  %v298 = load i64, ptr addrspace(1) %v297
  %v299 = load i64, ptr %sum
  %v300 = mul i64 %v299, 31
  %v301 = xor i64 %v300, %v298
  store i64 %v301, ptr %sum
  %v302 = getelementptr i8, ptr addrspace(1) %v20, i64 24
  %v303 = load i64, ptr addrspace(1) %v302
  %v304 = load i64, ptr %sum
  %v305 = mul i64 %v304, 31
  %v306 = xor i64 %v305, %v303
  store i64 %v306, ptr %sum
  %v307 = getelementptr %node, ptr addrspace(1) %v20, i64 0, i32 1, i64 0
  %v308 = load i64, ptr addrspace(1) %v307
  %v309 = load i64, ptr %sum
  %v310 = mul i64 %v309, 31
  %v311 = xor i64 %v310, %v308
  store i64 %v311, ptr %sum
  store i64 25, ptr @fuel
  %v312 = call i64 @reentered(ptr addrspace(1) %first, i64 %v11)
  %v313 = load i64, ptr %sum
  %v314 = mul i64 %v313, 31
  %v315 = xor i64 %v314, %v312
  store i64 %v315, ptr %sum
  %v316 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %v17, i64 %v312)
  %v317 = extractvalue { i1, ptr addrspace(1) } %v316, 0
  %v318 = extractvalue { i1, ptr addrspace(1) } %v316, 1
  call void @collect()
  %v319 = select i1 %v317, ptr addrspace(1) %v318, ptr addrspace(1) %v17
  store i64 %v312, ptr addrspace(1) %v253
  %v320 = extractelement <4 x i32> %v3, i32 0
  %v321 = zext i32 %v320 to i64
  %v322 = load i64, ptr %sum
  %v323 = mul i64 %v322, 31
  %v324 = xor i64 %v323, %v321
  store i64 %v324, ptr %sum
  %v325 = extractelement <4 x i32> %v3, i32 3
  %v326 = zext i32 %v325 to i64
  %v327 = load i64, ptr %sum
  %v328 = mul i64 %v327, 31
  %v329 = xor i64 %v328, %v326
  store i64 %v329, ptr %sum
  %v330 = getelementptr %node, ptr addrspace(1) %v319, i64 0, i32 1, i64 0
  %v331 = load i64, ptr addrspace(1) %v330
  %v332 = load i64, ptr %sum
  %v333 = mul i64 %v332, 31
  %v334 = xor i64 %v333, %v331
  store i64 %v334, ptr %sum
  %v335 = load i64, ptr %sum
  %v336 = mul i64 %v335, 31
  %v337 = xor i64 %v336, %v11
  store i64 %v337, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v0)
  call void @keep(i64 1, ptr addrspace(1) %v17)
  %v338 = load i64, ptr %sum
  ret i64 %v338
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
