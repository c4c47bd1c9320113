; random: target=aarch64-unknown-linux-gnu opt=2 poll=tls:poll_thread:8 safepoints=postcall frame_pointer=none code_model=large counted_loop_bits=64 poll_interval=9 split=functions
; compile: codegen_failed: No polls: page polls are for functions with statepoints, and this one has GC "shadow-stack"; poll=call:SYMBOL or poll=flag:SYMBOL:SLOW work in both
; seed 70013
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

define internal ptr addrspace(1) @inlined(ptr addrspace(1) %o, i64 %n) gc "statepoint-example" {
  %slot = getelementptr i8, ptr addrspace(1) %o, i64 16
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %o, ptr addrspace(1) %slot)
  call void @collect()
  %r = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %slot)
  %next = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %r)
  %first = getelementptr i8, ptr addrspace(1) %next, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %next, ptr addrspace(1) %first)
  ret ptr addrspace(1) %next
}

define internal ptr addrspace(1) @turns(ptr addrspace(1) %o, i64 %n) gc "statepoint-example" {
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

define internal fastcc i64 @f0(ptr addrspace(1) noundef nonnull align 8 %p0, ptr addrspace(1) %p1, { ptr addrspace(1), i64 } %p2, ptr addrspace(1) %p3, ptr addrspace(1) %p4) noinline optnone "smd-safepoints"="entry,return,precall" gc "statepoint-example" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  store i64 0, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 0, i64 1
  store ptr addrspace(1) %p1, ptr addrspace(1) %v3
  %v4 = icmp eq ptr addrspace(1) %p3, null
  %v5 = select i1 %v4, ptr addrspace(1) %p0, ptr addrspace(1) %p3
  %v6 = getelementptr %node, ptr addrspace(1) %v5, i64 0, i32 0, i64 1
  %v7 = atomicrmw xchg ptr addrspace(1) %v6, ptr addrspace(1) %p3 seq_cst
  %v10 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 24
  %v11 = getelementptr i8, ptr addrspace(1) %p0, i64 88
  br label %b12
b12:
  %v14 = phi { ptr addrspace(1), i64 } [ %p2, %run ], [ %v30, %b19 ]
  %v15 = phi ptr addrspace(1) [ %p1, %run ], [ %p0, %b19 ]
  %v16 = phi ptr addrspace(1) [ %v10, %run ], [ %v17, %b19 ]
  %v18 = icmp eq ptr addrspace(1) %v16, %v11
  br i1 %v18, label %b13, label %b19
b19:
  %v20 = load i64, ptr addrspace(1) %v16
  %v21 = load i64, ptr %sum
  %v22 = mul i64 %v21, 31
  %v23 = xor i64 %v22, %v20
  store i64 %v23, ptr %sum
  %v24 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %p0, i64 231)
  %v25 = extractvalue { i1, ptr addrspace(1) } %v24, 0
  %v26 = extractvalue { i1, ptr addrspace(1) } %v24, 1
  %v28 = call ptr addrspace(1) @make(i64 193, ptr addrspace(1) %p4)
  %v27 = select i1 %v25, ptr addrspace(1) %v26, ptr addrspace(1) %p0
  %v17 = getelementptr i8, ptr addrspace(1) %v16, i64 8
  %v29 = insertvalue { ptr addrspace(1), i64 } poison, ptr addrspace(1) %v7, 0
  %v30 = insertvalue { ptr addrspace(1), i64 } %v29, i64 101, 1
  br label %b12
b13:
  %v31 = phi ptr addrspace(1) [ %v7, %b12 ]
  %v32 = phi ptr addrspace(1) [ %v15, %b12 ]
  %v33 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v34 = or i64 %v33, 1
  %v35 = getelementptr { i64, [2 x double], ptr }, ptr %tagged.frame, i64 0, i32 1, i64 0
  %v36 = bitcast i64 %v34 to double
  store double %v36, ptr %v35
  %v37 = call ptr addrspace(1) @make(i64 21845, ptr addrspace(1) %v15) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %v5, ptr addrspace(1) %p3, ptr addrspace(1) %p3) ]
  %v39 = load double, ptr %v35
  %v38 = bitcast double %v39 to i64
  %v40 = call ptr @smd.gc.pin(ptr addrspace(1) %v37)
  %v43 = call ptr addrspace(1) @make(i64 85, ptr addrspace(1) %p1) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %p1, ptr addrspace(1) %v15) ]
  %v41 = getelementptr i8, ptr %v40, i64 24
  %v42 = load i64, ptr %v41
  store i64 270, ptr %v41
  call void @smd.gc.unpin(ptr %v40)
  %v44 = call ptr addrspace(1) @smd.gc.from_int(i64 %v38)
  %v45 = getelementptr i8, ptr addrspace(1) %v44, i64 24
  %v46 = load i64, ptr addrspace(1) %v45
  %v47 = load i64, ptr %sum
  %v48 = mul i64 %v47, 31
  %v49 = xor i64 %v48, %v46
  store i64 %v49, ptr %sum
  %v50 = load i64, ptr %sum
  %v51 = mul i64 %v50, 31
  %v52 = xor i64 %v51, %v42
  store i64 %v52, ptr %sum
  %v53 = icmp eq ptr addrspace(1) %p4, null
  %v54 = select i1 %v53, ptr addrspace(1) %v37, ptr addrspace(1) %p4
  %v55 = getelementptr inbounds %node, ptr addrspace(1) %v54, i64 0, i32 1, i64 0
  %v56 = load i64, ptr addrspace(1) %v55
  %v57 = load i64, ptr %sum
  %v58 = mul i64 %v57, 31
  %v59 = xor i64 %v58, %v56
  store i64 %v59, ptr %sum
  %v60 = load i64, ptr %sum
  call void @note(i64 %v60)
  call void @throw_value(ptr addrspace(1) %p0)
  unreachable
}

define i64 @f1(ptr addrspace(1) dereferenceable(88) %p0, i64 %p1, i64 %p2) noinline "frame-pointer"="non-leaf" cold gc "statepoint-example" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  store i64 1, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = call ptr addrspace(1) @inlined(ptr addrspace(1) %p0, i64 %p2) [ "deopt"(i32 20773, i32 33285, ptr addrspace(1) %p0, i64 723, i64 %p2, ptr addrspace(1) %p0, i64 %p1) ]
  %v4 = icmp ult i64 %p2, %p1
  %v9 = insertvalue [2 x ptr addrspace(1)] poison, ptr addrspace(1) %p0, 0
  %v10 = insertvalue [2 x ptr addrspace(1)] %v9, ptr addrspace(1) %v3, 1
  br i1 %v4, label %b6, label %b8
b6:
  %v11 = icmp eq ptr addrspace(1) %v3, null
  %v12 = select i1 %v11, ptr addrspace(1) %p0, ptr addrspace(1) %v3
  %v13 = getelementptr %node, ptr addrspace(1) %v12, i64 0, i32 0, i64 2
  store ptr addrspace(1) %v3, ptr addrspace(1) %v13
  br label %b8
b8:
  %v14 = phi [2 x ptr addrspace(1)] [ %v10, %run ], [ %v10, %b6 ]
  %v18 = invoke ptr addrspace(1) @inlined(ptr addrspace(1) %p0, i64 %p1) to label %b15 unwind label %b16
b15:
  %v19 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v3, ptr %v19
  %v20 = call ptr @llvm.launder.invariant.group.p0(ptr %v19)
  %v22 = getelementptr i8, ptr %v19, i64 0
  %v24 = call ptr addrspace(1) @llvm.ptr.annotation.p1.p0(ptr addrspace(1) %v3, ptr null, ptr null, i32 0, ptr null)
  %v26 = call ptr @llvm.ptr.annotation.p0.p0(ptr %v19, ptr null, ptr null, i32 0, ptr null)
  %v28 = call ptr addrspace(1) @rooted(ptr addrspace(1) %p0, i64 %p1)
  br i1 %v4, label %b32, label %b33
b32:
  %v29 = phi ptr addrspace(1) [ %v3, %b15 ], [ %v125, %b77 ]
  %v35 = getelementptr %node, ptr addrspace(1) %v28, i64 0, i32 1, i64 0
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v35, ptr addrspace(1) align 8 %v35, i64 24, i1 false) "smd-no-references"
  %v36 = load ptr addrspace(1), ptr %v19
  %v39 = mul i64 0, 31
  %v40 = add i64 %v39, %p1
  %v42 = icmp eq ptr addrspace(1) %v28, null
  %v43 = select i1 %v42, ptr addrspace(1) %p0, ptr addrspace(1) %v28
  %v45 = getelementptr i8, ptr addrspace(1) %v43, i64 24
  %v44 = load i64, ptr addrspace(1) %v45
  %v41 = select i1 %v42, i64 1, i64 %v44
  %v46 = mul i64 %v40, 31
  %v47 = add i64 %v46, %v41
  %v49 = icmp eq ptr addrspace(1) %v28, null
  %v50 = select i1 %v49, ptr addrspace(1) %v28, ptr addrspace(1) %v28
  %v52 = getelementptr inbounds %node, ptr addrspace(1) %v50, i64 0, i32 1, i64 0
  %v51 = load i64, ptr addrspace(1) %v52
  %v48 = select i1 %v49, i64 1, i64 %v51
  %v53 = mul i64 %v47, 31
  %v54 = add i64 %v53, %v48
  %v56 = icmp eq ptr addrspace(1) %v3, null
  %v57 = select i1 %v56, ptr addrspace(1) %p0, ptr addrspace(1) %v3
  %v59 = getelementptr inbounds i8, ptr addrspace(1) %v57, i64 24
  %v58 = load i64, ptr addrspace(1) %v59
  %v55 = select i1 %v56, i64 1, i64 %v58
  %v60 = mul i64 %v54, 31
  %v61 = add i64 %v60, %v55
  %v63 = icmp eq ptr addrspace(1) %v18, null
  %v64 = select i1 %v63, ptr addrspace(1) %v28, ptr addrspace(1) %v18
  %v66 = getelementptr i8, ptr addrspace(1) %v64, i64 24
  %v65 = load i64, ptr addrspace(1) %v66
  %v62 = select i1 %v63, i64 1, i64 %v65
  %v67 = mul i64 %v61, 31
  %v68 = add i64 %v67, %v62
  %v37 = call i64 @observe(i64 %v68) [ "deopt"(i32 20773, i32 174085, i64 %p1, ptr addrspace(1) %v28, ptr addrspace(1) %v28, ptr addrspace(1) %v3, ptr addrspace(1) %v18) ]
  %v69 = load i64, ptr @fuel
  %v70 = sub i64 %v69, 1
  store i64 %v70, ptr @fuel
  %v71 = icmp slt i64 %v69, 1
  br i1 %v71, label %b34, label %b33
b33:
  %v30 = phi ptr addrspace(1) [ %v18, %b15 ], [ null, %b32 ]
  %v72 = icmp eq ptr addrspace(1) %v24, null
  %v73 = select i1 %v72, ptr addrspace(1) %v28, ptr addrspace(1) %v24
  %v74 = load ptr addrspace(1), ptr addrspace(1) %v73
  br label %b76
b76:
  %v78 = phi ptr addrspace(1) [ %v18, %b33 ], [ %v24, %b82 ]
  %v79 = load i64, ptr @fuel
  %v80 = sub i64 %v79, 1
  store i64 %v80, ptr @fuel
  %v81 = icmp slt i64 %v79, 1
  br i1 %v81, label %b77, label %b82
b82:
  %v83 = load ptr addrspace(1), ptr %v19
  %v86 = icmp eq ptr addrspace(1) %v73, null
  %v87 = select i1 %v86, ptr addrspace(1) %v28, ptr addrspace(1) %v73
  %v89 = getelementptr inbounds i8, ptr addrspace(1) %v87, i64 24
  %v88 = load i64, ptr addrspace(1) %v89
  %v85 = select i1 %v86, i64 1, i64 %v88
  %v90 = mul i64 0, 31
  %v91 = add i64 %v90, %v85
  %v93 = icmp eq ptr addrspace(1) %v3, null
  %v94 = select i1 %v93, ptr addrspace(1) %v28, ptr addrspace(1) %v3
  %v96 = getelementptr %node, ptr addrspace(1) %v94, i64 0, i32 1, i64 0
  %v95 = load i64, ptr addrspace(1) %v96
  %v92 = select i1 %v93, i64 1, i64 %v95
  %v97 = mul i64 %v91, 31
  %v98 = add i64 %v97, %v92
  %v100 = icmp eq ptr addrspace(1) %v78, null
  %v101 = select i1 %v100, ptr addrspace(1) %v28, ptr addrspace(1) %v78
  %v103 = getelementptr inbounds i8, ptr addrspace(1) %v101, i64 24
  %v102 = load i64, ptr addrspace(1) %v103
  %v99 = select i1 %v100, i64 1, i64 %v102
  %v104 = mul i64 %v98, 31
  %v105 = add i64 %v104, %v99
  %v107 = icmp eq ptr addrspace(1) %v3, null
  %v108 = select i1 %v107, ptr addrspace(1) %v28, ptr addrspace(1) %v3
  %v110 = getelementptr i8, ptr addrspace(1) %v108, i64 24
  %v109 = load i64, ptr addrspace(1) %v110
  %v106 = select i1 %v107, i64 1, i64 %v109
  %v111 = mul i64 %v105, 31
  %v112 = add i64 %v111, %v106
  %v114 = icmp eq ptr addrspace(1) %v28, null
  %v115 = select i1 %v114, ptr addrspace(1) %p0, ptr addrspace(1) %v28
  %v117 = getelementptr i8, ptr addrspace(1) %v115, i64 24
  %v116 = load i64, ptr addrspace(1) %v117
  %v113 = select i1 %v114, i64 1, i64 %v116
  %v118 = mul i64 %v112, 31
  %v119 = add i64 %v118, %v113
  %v84 = call i64 @observe(i64 %v119) [ "deopt"(i32 20773, i32 174597, ptr addrspace(1) %v73, ptr addrspace(1) %v3, ptr addrspace(1) %v78, ptr addrspace(1) %v3, ptr addrspace(1) %v28) ]
  %v120 = icmp eq ptr addrspace(1) %v3, null
  %v121 = select i1 %v120, ptr addrspace(1) %v28, ptr addrspace(1) %v3
  store ptr addrspace(1) %v28, ptr addrspace(1) %v121
  br label %b76
b77:
  %v123 = phi ptr addrspace(1) [ %v73, %b76 ]
  %v124 = phi [2 x ptr addrspace(1)] [ %v14, %b76 ]
  %v125 = call ptr addrspace(1) asm sideeffect "", "=r,0"(ptr addrspace(1) %v78)
  %v126 = load i64, ptr @fuel
  %v127 = sub i64 %v126, 1
  store i64 %v127, ptr @fuel
  %v128 = icmp slt i64 %v126, 1
  br i1 %v128, label %b34, label %b32
b34:
  %v31 = phi ptr addrspace(1) [ null, %b32 ], [ %v125, %b77 ]
  %v130 = and i64 %p1, 7
  %v129 = call i64 @peek(ptr addrspace(1) %p0, i64 %v130) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %v18, ptr addrspace(1) %v24) ]
  br label %b17
b16:
  %v131 = landingpad token cleanup
  %v132 = call ptr addrspace(1) @caught()
  %v133 = getelementptr i8, ptr addrspace(1) %v132, i64 24
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v133, ptr addrspace(1) align 8 %v133, i64 16, i1 false) "smd-no-references"
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v133, ptr addrspace(1) align 8 %v133, i64 8, i1 false) "smd-no-references"
  %v137 = invoke ptr addrspace(1) @inlined(ptr addrspace(1) %v132, i64 %p1) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %v132) ] to label %b134 unwind label %b135
b134:
  %v138 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v132, ptr %v138
  %v139 = freeze ptr %v138
  %v141 = freeze ptr %v138
  %v143 = freeze ptr addrspace(1) %p0
  %v145 = call ptr @llvm.launder.invariant.group.p0(ptr %v138)
  %v147 = getelementptr %node, ptr addrspace(1) %v132, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v3, ptr addrspace(1) %v147
  br label %b136
b135:
  %v148 = landingpad token cleanup
  %v149 = call ptr addrspace(1) @caught()
  %v150 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %v132, i64 %p1)
  %v151 = extractvalue { i1, ptr addrspace(1) } %v150, 0
  %v152 = extractvalue { i1, ptr addrspace(1) } %v150, 1
  call void @collect()
  call void @collect()
  %v153 = select i1 %v151, ptr addrspace(1) %v152, ptr addrspace(1) %v132
  %v156 = insertvalue { ptr addrspace(1), i64 } zeroinitializer, ptr addrspace(1) %p0, 0
  %v157 = insertvalue { ptr addrspace(1), i64 } %v156, i64 %p1, 1
  %v158 = call i64 @smd.gc.to_int(ptr addrspace(1) %v132)
  %v159 = or i64 %v158, 4
  br label %b154
b154:
  %v160 = phi { ptr addrspace(1), i64 } [ %v157, %b135 ], [ %v160, %b171 ]
  %v161 = phi i64 [ %v159, %b135 ], [ %v176, %b171 ]
  %v162 = phi ptr addrspace(1) [ %p0, %b135 ], [ %v163, %b171 ]
  %v168 = load i64, ptr @fuel
  %v169 = sub i64 %v168, 1
  store i64 %v169, ptr @fuel
  %v170 = icmp slt i64 %v168, 1
  %v165 = icmp eq ptr addrspace(1) %v162, null
  %v166 = or i1 %v170, %v165
  br i1 %v166, label %b155, label %b171
b171:
  %v173 = and i64 %p1, 7
  %v172 = call i64 @sift(ptr addrspace(1) %v132, i64 %v173) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v162) ]
  %v174 = alloca [8 x i64], align 8
  call void @llvm.memset.p0.i64(ptr %v174, i8 153, i64 64, i1 false)
  store i64 %p1, ptr %v174
  %v167 = select i1 %v165, ptr addrspace(1) %p0, ptr addrspace(1) %v162
  %v164 = getelementptr i8, ptr addrspace(1) %v167, i64 8
  %v163 = load ptr addrspace(1), ptr addrspace(1) %v164
  %v175 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v176 = or i64 %v175, 0
  br label %b154
b155:
  %v177 = phi [2 x ptr addrspace(1)] [ %v10, %b154 ]
  %v178 = phi ptr addrspace(1) [ %v132, %b154 ]
  %v181 = icmp eq ptr addrspace(1) %v162, null
  %v182 = select i1 %v181, ptr addrspace(1) %v178, ptr addrspace(1) %v162
  %v184 = getelementptr %node, ptr addrspace(1) %v182, i64 0, i32 1, i64 0
  %v183 = load i64, ptr addrspace(1) %v184
  %v180 = select i1 %v181, i64 1, i64 %v183
  %v185 = mul i64 0, 31
  %v186 = add i64 %v185, %v180
  %v188 = icmp eq ptr addrspace(1) %v132, null
  %v189 = select i1 %v188, ptr addrspace(1) %v178, ptr addrspace(1) %v132
  %v191 = getelementptr inbounds i8, ptr addrspace(1) %v189, i64 24
  %v190 = load i64, ptr addrspace(1) %v191
  %v187 = select i1 %v188, i64 1, i64 %v190
  %v192 = mul i64 %v186, 31
  %v193 = add i64 %v192, %v187
  %v195 = icmp eq ptr addrspace(1) %v178, null
  %v196 = select i1 %v195, ptr addrspace(1) %v178, ptr addrspace(1) %v178
  %v198 = getelementptr %node, ptr addrspace(1) %v196, i64 0, i32 1, i64 0
  %v197 = load i64, ptr addrspace(1) %v198
  %v194 = select i1 %v195, i64 1, i64 %v197
  %v199 = mul i64 %v193, 31
  %v200 = add i64 %v199, %v194
  %v202 = mul i64 %v200, 31
  %v203 = add i64 %v202, %p1
  %v179 = call i64 @observe(i64 %v203) [ "deopt"(i32 20773, i32 10756, ptr addrspace(1) %v162, ptr addrspace(1) %v132, ptr addrspace(1) %v178, i64 %p1) ]
  br label %b136
b136:
  %v204 = phi ptr addrspace(1) [ %p0, %b134 ], [ %v162, %b155 ]
  %v205 = phi ptr addrspace(1) [ %v143, %b134 ], [ %p0, %b155 ]
  %v206 = call i64 @native(i64 %p1) [ "deopt"(i32 20773, i32 164357, ptr addrspace(1) %v204, i64 %p1, i64 %p1, ptr addrspace(1) %v132, ptr addrspace(1) %v3), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v207 = load i64, ptr %sum
  call void @note(i64 %v207)
  call void @throw_value(ptr addrspace(1) %v132)
  unreachable
b17:
  %v208 = phi i64 [ %v129, %b34 ]
  %v210 = alloca { i64, ptr addrspace(1) }
  %v209 = getelementptr { i64, ptr addrspace(1) }, ptr %v210, i64 0, i32 1
  store ptr addrspace(1) %p0, ptr %v209
  %v211 = insertvalue { ptr addrspace(1), i64 } poison, ptr addrspace(1) %v3, 0
  %v212 = insertvalue { ptr addrspace(1), i64 } %v211, i64 %p1, 1
  %v213 = tail call fastcc ptr addrspace(1) @f2(ptr addrspace(1) %p0, { ptr addrspace(1), i64 } %v212, ptr addrspace(1) %p0, ptr addrspace(1) %p0, { ptr addrspace(1), i64 } %v212) [ "deopt"(i32 20773, i32 34821, i64 %v208, ptr addrspace(1) %p0, i64 -1, ptr addrspace(1) %p0, i64 %p1) ]
  %v214 = getelementptr inbounds %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v214, ptr addrspace(1) align 8 %v214, i64 8, i1 false) "smd-no-references"
  %v215 = call i64 @native(i64 %p1) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %v213, ptr addrspace(1) %v213), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v217 = and i64 %v208, 7
  %v216 = call i64 @hashed(ptr addrspace(1) %p0, i64 %v217) [ "deopt"(i32 20773, i32 43524, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) null, ptr addrspace(1) %v213) ]
  %v218 = call ptr addrspace(1) @kept(i64 2)
  %v219 = alloca [1 x i64], align 128
  call void @llvm.memset.p0.i64(ptr %v219, i8 206, i64 8, i1 false)
  store i64 %p1, ptr %v219
  %v220 = load i64, ptr %sum
  %v221 = mul i64 %v220, 31
  %v222 = xor i64 %v221, %p2
  store i64 %v222, ptr %sum
  %v223 = icmp eq ptr addrspace(1) %v213, null
  %v224 = select i1 %v223, ptr addrspace(1) %p0, ptr addrspace(1) %v213
  %v225 = getelementptr i8, ptr addrspace(1) %v224, i64 24
  %v226 = load i64, ptr addrspace(1) %v225
  %v227 = load i64, ptr %sum
  %v228 = mul i64 %v227, 31
  %v229 = xor i64 %v228, %v226
  store i64 %v229, ptr %sum
  %v230 = load i64, ptr %sum
  %v231 = mul i64 %v230, 31
  %v232 = xor i64 %v231, %v215
  store i64 %v232, ptr %sum
  %v233 = load i64, ptr %sum
  ret i64 %v233
}

define internal fastcc ptr addrspace(1) @f2(ptr addrspace(1) dereferenceable(88) %p0, { ptr addrspace(1), i64 } %p1, ptr addrspace(1) %p2, ptr addrspace(1) %p3, { ptr addrspace(1), i64 } %p4) nounwind uwtable noinline optnone "smd-safepoints"="entry,return,precall" gc "statepoint-example" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  store i64 2, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret ptr addrspace(1) null
run:
  %v5 = insertvalue [2 x ptr addrspace(1)] zeroinitializer, ptr addrspace(1) %p2, 0
  %v6 = insertvalue [2 x ptr addrspace(1)] %v5, ptr addrspace(1) %p0, 1
  br label %b3
b3:
  %v7 = phi [2 x ptr addrspace(1)] [ %v6, %run ], [ %v39, %b50 ]
  %v8 = phi ptr addrspace(1) [ %p0, %run ], [ %v8, %b50 ]
  %v9 = phi ptr addrspace(1) [ %p2, %run ], [ %v48, %b50 ]
  %v10 = phi ptr addrspace(1) [ %p0, %run ], [ %v11, %b50 ]
  %v16 = load i64, ptr @fuel
  %v17 = sub i64 %v16, 1
  store i64 %v17, ptr @fuel
  %v18 = icmp slt i64 %v16, 1
  %v13 = icmp eq ptr addrspace(1) %v10, null
  %v14 = or i1 %v18, %v13
  br i1 %v14, label %b4, label %b19
b19:
  %v21 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 0, i64 2
  %v20 = load ptr addrspace(1), ptr addrspace(1) %v21
  %v25 = invoke i64 @listed(ptr addrspace(1) %p0, i64 544) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v10) ] to label %b22 unwind label %b23
b22:
  %v27 = and i64 %v25, 7
  %v28 = add i64 %v27, 1
  %v26 = alloca i64, i64 %v28, align 16
  store i64 %v25, ptr %v26
  br label %b24
b23:
  %v29 = landingpad token cleanup
  %v30 = call ptr addrspace(1) @caught()
  %v31 = call i64 @native(i64 0) [ "deopt"(i32 20773, i32 40964, i64 -1, i64 152, ptr addrspace(1) %v8, ptr addrspace(1) %v20), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v32 = insertvalue { ptr addrspace(1), i64 } %p4, ptr addrspace(1) %v8, 0
  br label %b24
b24:
  %v33 = phi { ptr addrspace(1), i64 } [ %p1, %b22 ], [ %p1, %b23 ]
  %v34 = phi { ptr addrspace(1), i64 } [ %p1, %b22 ], [ %v32, %b23 ]
  %v35 = call i64 @native(i64 166) [ "deopt"(i32 20773, i32 141829, ptr addrspace(1) %v8, ptr addrspace(1) %v10, ptr addrspace(1) %v8, i64 85, ptr addrspace(1) %v8), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v36 = getelementptr %node, ptr addrspace(1) %v8, i64 0, i32 0, i64 2
  store ptr addrspace(1) %p0, ptr addrspace(1) %v36
  br label %b37
b37:
  %v39 = phi [2 x ptr addrspace(1)] [ %v6, %b24 ], [ %v6, %b43 ]
  %v40 = load i64, ptr @fuel
  %v41 = sub i64 %v40, 1
  store i64 %v41, ptr @fuel
  %v42 = icmp slt i64 %v40, 1
  %v44 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v45 = or i64 %v44, 7
  br i1 %v42, label %b38, label %b43
b43:
  %v46 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v8, ptr addrspace(1) %v46
  br label %b37
b38:
  %v47 = phi i64 [ %v45, %b37 ]
  %v48 = phi ptr addrspace(1) [ %v20, %b37 ]
  call void @collect() [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v8) ]
  %v49 = icmp ugt i64 616, %v35
  br i1 %v49, label %b4, label %b50
b50:
  %v15 = select i1 %v13, ptr addrspace(1) %v8, ptr addrspace(1) %v10
  %v12 = getelementptr i8, ptr addrspace(1) %v15, i64 8
  %v11 = load ptr addrspace(1), ptr addrspace(1) %v12
  br label %b3
b4:
  %v51 = phi i64 [ 595, %b3 ], [ %v35, %b38 ]
  %v53 = and i64 %v51, 7
  %v54 = add i64 %v53, 1
  %v52 = alloca i64, i64 %v54, align 64
  store i64 %v51, ptr %v52
  %v56 = and i64 %v51, 7
  %v55 = call i64 @over(ptr addrspace(1) %v8, i64 %v56)
  %v58 = and i64 %v51, 7
  %v57 = call i64 @hashed(ptr addrspace(1) %p0, i64 %v58) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %p2, ptr addrspace(1) %v8) ]
  %v59 = icmp slt i64 %v51, %v57
  br i1 %v59, label %b61, label %b62, !prof !2
b61:
  %v64 = call ptr addrspace(1) @turns(ptr addrspace(1) %p0, i64 %v51) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %p0, ptr addrspace(1) %v8) ]
  %v65 = getelementptr i8, ptr addrspace(1) %v8, i64 24
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 %v65, i8 97, i64 24, i1 false) "smd-no-references"
  %v66 = insertvalue { ptr addrspace(1), i64 } %p1, i64 %v55, 1
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v65, ptr addrspace(1) align 8 %v65, i64 24, i1 false) "smd-no-references"
  %v67 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v68 = or i64 %v67, 6
  br label %b63
b62:
  %v69 = insertvalue [2 x ptr addrspace(1)] %v6, ptr addrspace(1) %p0, 1
  %v72 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v73 = or i64 %v72, 1
  br label %b70
b70:
  %v74 = phi i64 [ %v73, %b62 ], [ %v73, %b115 ]
  %v75 = phi i64 [ %v73, %b62 ], [ %v73, %b115 ]
  %v76 = phi i64 [ %v51, %b62 ], [ %v108, %b115 ]
  %v77 = load i64, ptr @fuel
  %v78 = sub i64 %v77, 1
  store i64 %v78, ptr @fuel
  %v79 = icmp slt i64 %v77, 1
  br i1 %v79, label %b71, label %b80
b80:
  br label %b81
b81:
  %v83 = phi ptr addrspace(1) [ %p0, %b80 ], [ %v83, %b107 ]
  %v84 = phi { ptr addrspace(1), i64 } [ %p1, %b80 ], [ %v84, %b107 ]
  %v85 = phi i64 [ %v57, %b80 ], [ %v51, %b107 ]
  %v86 = load i64, ptr @fuel
  %v87 = sub i64 %v86, 1
  store i64 %v87, ptr @fuel
  %v88 = icmp slt i64 %v86, 1
  br i1 %v88, label %b82, label %b89
b89:
  %v90 = extractvalue [2 x ptr addrspace(1)] %v6, 0
  %v91 = icmp eq ptr addrspace(1) %v90, null
  %v92 = select i1 %v91, ptr addrspace(1) %v8, ptr addrspace(1) %v90
  %v93 = getelementptr i8, ptr addrspace(1) %v92, i64 24
  %v94 = load i64, ptr addrspace(1) %v93
  %v95 = load i64, ptr %sum
  %v96 = mul i64 %v95, 31
  %v97 = xor i64 %v96, %v94
  store i64 %v97, ptr %sum
  %v98 = extractvalue [2 x ptr addrspace(1)] %v6, 1
  %v99 = icmp eq ptr addrspace(1) %v98, null
  %v100 = select i1 %v99, ptr addrspace(1) %v92, ptr addrspace(1) %v98
  %v101 = getelementptr i8, ptr addrspace(1) %v100, i64 24
  %v102 = load i64, ptr addrspace(1) %v101
  %v103 = load i64, ptr %sum
  %v104 = mul i64 %v103, 31
  %v105 = xor i64 %v104, %v102
  store i64 %v105, ptr %sum
  %v106 = select i1 %v59, ptr addrspace(1) %v10, ptr addrspace(1) %v10
  br i1 %v59, label %b82, label %b107
b107:
  br label %b81
b82:
  %v108 = phi i64 [ %v51, %b81 ], [ %v85, %b89 ]
  %v109 = phi [2 x ptr addrspace(1)] [ %v6, %b81 ], [ %v6, %b89 ]
  %v110 = phi ptr addrspace(1) [ %v83, %b81 ], [ %v83, %b89 ]
  %v112 = and i64 %v85, 7
  %v113 = add i64 %v112, 1
  %v111 = alloca i64, i64 %v113, align 32
  store i64 %v85, ptr %v111
  %v114 = icmp ugt i64 %v51, %v51
  br i1 %v114, label %b71, label %b115
b115:
  br label %b70
b71:
  %v116 = phi ptr addrspace(1) [ %p0, %b70 ], [ %v8, %b82 ]
  %v117 = phi i64 [ 397, %b70 ], [ %v51, %b82 ]
  %v118 = phi ptr addrspace(1) [ %v9, %b70 ], [ %v83, %b82 ]
  %v119 = getelementptr inbounds i8, ptr addrspace(1) %v8, i64 24
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v119, ptr addrspace(1) align 8 %v119, i64 24, i1 false) "smd-no-references"
  %v122 = icmp eq ptr addrspace(1) %v116, null
  %v123 = select i1 %v122, ptr addrspace(1) %v8, ptr addrspace(1) %v116
  %v125 = getelementptr %node, ptr addrspace(1) %v123, i64 0, i32 1, i64 0
  %v124 = load i64, ptr addrspace(1) %v125
  %v121 = select i1 %v122, i64 1, i64 %v124
  %v126 = mul i64 0, 31
  %v127 = add i64 %v126, %v121
  %v129 = icmp eq ptr addrspace(1) %v116, null
  %v130 = select i1 %v129, ptr addrspace(1) %v116, ptr addrspace(1) %v116
  %v132 = getelementptr i8, ptr addrspace(1) %v130, i64 24
  %v131 = load i64, ptr addrspace(1) %v132
  %v128 = select i1 %v129, i64 1, i64 %v131
  %v133 = mul i64 %v127, 31
  %v134 = add i64 %v133, %v128
  %v120 = call i64 @observe(i64 %v134) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %v116, ptr addrspace(1) %v116) ]
  %v135 = freeze i64 %v73
  %v138 = icmp eq ptr addrspace(1) %p0, null
  %v139 = select i1 %v138, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v141 = getelementptr i8, ptr addrspace(1) %v139, i64 24
  %v140 = load i64, ptr addrspace(1) %v141
  %v137 = select i1 %v138, i64 1, i64 %v140
  %v142 = mul i64 0, 31
  %v143 = add i64 %v142, %v137
  %v145 = icmp eq ptr addrspace(1) %v8, null
  %v146 = select i1 %v145, ptr addrspace(1) %v116, ptr addrspace(1) %v8
  %v148 = getelementptr %node, ptr addrspace(1) %v146, i64 0, i32 1, i64 0
  %v147 = load i64, ptr addrspace(1) %v148
  %v144 = select i1 %v145, i64 1, i64 %v147
  %v149 = mul i64 %v143, 31
  %v150 = add i64 %v149, %v144
  %v152 = mul i64 %v150, 31
  %v153 = add i64 %v152, %v51
  %v155 = mul i64 %v153, 31
  %v156 = add i64 %v155, %v117
  %v136 = call i64 @observe(i64 %v156) [ "deopt"(i32 20773, i32 2564, ptr addrspace(1) %p0, ptr addrspace(1) %v8, i64 %v51, i64 %v117) ]
  %v157 = insertvalue [2 x ptr addrspace(1)] zeroinitializer, ptr addrspace(1) %v118, 0
  %v158 = insertvalue [2 x ptr addrspace(1)] %v157, ptr addrspace(1) %v116, 1
  br label %b63
b63:
  %v159 = phi [2 x ptr addrspace(1)] [ %v6, %b61 ], [ %v158, %b71 ]
  %v160 = phi i64 [ %v68, %b61 ], [ %v75, %b71 ]
  %v161 = phi { ptr addrspace(1), i64 } [ %v66, %b61 ], [ %p1, %b71 ]
  %v164 = icmp eq ptr addrspace(1) %p0, null
  %v165 = select i1 %v164, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v167 = getelementptr inbounds %node, ptr addrspace(1) %v165, i64 0, i32 1, i64 0
  %v166 = load i64, ptr addrspace(1) %v167
  %v163 = select i1 %v164, i64 1, i64 %v166
  %v168 = mul i64 0, 31
  %v169 = add i64 %v168, %v163
  %v171 = icmp eq ptr addrspace(1) %v8, null
  %v172 = select i1 %v171, ptr addrspace(1) %v8, ptr addrspace(1) %v8
  %v174 = getelementptr inbounds %node, ptr addrspace(1) %v172, i64 0, i32 1, i64 0
  %v173 = load i64, ptr addrspace(1) %v174
  %v170 = select i1 %v171, i64 1, i64 %v173
  %v175 = mul i64 %v169, 31
  %v176 = add i64 %v175, %v170
  %v178 = icmp eq ptr addrspace(1) %v8, null
  %v179 = select i1 %v178, ptr addrspace(1) %p0, ptr addrspace(1) %v8
  %v181 = getelementptr inbounds %node, ptr addrspace(1) %v179, i64 0, i32 1, i64 0
  %v180 = load i64, ptr addrspace(1) %v181
  %v177 = select i1 %v178, i64 1, i64 %v180
  %v182 = mul i64 %v176, 31
  %v183 = add i64 %v182, %v177
  %v185 = mul i64 %v183, 31
  %v186 = add i64 %v185, %v51
  %v188 = icmp eq ptr addrspace(1) %v8, null
  %v189 = select i1 %v188, ptr addrspace(1) %p0, ptr addrspace(1) %v8
  %v191 = getelementptr i8, ptr addrspace(1) %v189, i64 24
  %v190 = load i64, ptr addrspace(1) %v191
  %v187 = select i1 %v188, i64 1, i64 %v190
  %v192 = mul i64 %v186, 31
  %v193 = add i64 %v192, %v187
  %v162 = call i64 @observe(i64 %v193) [ "deopt"(i32 20773, i32 141829, ptr addrspace(1) %p0, ptr addrspace(1) %v8, ptr addrspace(1) %v8, i64 %v51, ptr addrspace(1) %v8) ]
  %v194 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %v8, i64 %v51)
  %v195 = extractvalue { i1, ptr addrspace(1) } %v194, 0
  %v196 = extractvalue { i1, ptr addrspace(1) } %v194, 1
  call void @collect()
  %v197 = select i1 %v195, ptr addrspace(1) %v196, ptr addrspace(1) %v8
  %v198 = load i64, ptr %sum
  %v199 = mul i64 %v198, 31
  %v200 = xor i64 %v199, %v57
  store i64 %v200, ptr %sum
  %v201 = icmp eq ptr addrspace(1) %v9, null
  %v202 = select i1 %v201, ptr addrspace(1) %v197, ptr addrspace(1) %v9
  %v203 = getelementptr %node, ptr addrspace(1) %v202, i64 0, i32 1, i64 0
  %v204 = load i64, ptr addrspace(1) %v203
  %v205 = load i64, ptr %sum
  %v206 = mul i64 %v205, 31
  %v207 = xor i64 %v206, %v204
  store i64 %v207, ptr %sum
  %v208 = extractvalue [2 x ptr addrspace(1)] %v159, 0
  %v209 = icmp eq ptr addrspace(1) %v208, null
  %v210 = select i1 %v209, ptr addrspace(1) %v197, ptr addrspace(1) %v208
  %v211 = getelementptr i8, ptr addrspace(1) %v210, i64 24
  %v212 = load i64, ptr addrspace(1) %v211
  %v213 = load i64, ptr %sum
  %v214 = mul i64 %v213, 31
  %v215 = xor i64 %v214, %v212
  store i64 %v215, ptr %sum
  %v216 = extractvalue [2 x ptr addrspace(1)] %v159, 1
  %v217 = icmp eq ptr addrspace(1) %v216, null
  %v218 = select i1 %v217, ptr addrspace(1) %v197, ptr addrspace(1) %v216
  %v219 = getelementptr i8, ptr addrspace(1) %v218, i64 24
  %v220 = load i64, ptr addrspace(1) %v219
  %v221 = load i64, ptr %sum
  %v222 = mul i64 %v221, 31
  %v223 = xor i64 %v222, %v220
  store i64 %v223, ptr %sum
  %v224 = load i64, ptr %sum
  call void @note(i64 %v224)
  ret ptr addrspace(1) %v197
}

define i64 @listed(ptr addrspace(1) %p0, i64 %p1) noinline optnone "frame-pointer"="non-leaf" cold gc "statepoint-example" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  store i64 3, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v4 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 0, i64 2
  %v3 = load ptr addrspace(1), ptr addrspace(1) %v4
  %v5 = call ptr addrspace(1) @crowded(i64 %p1, i64 1, i64 %p1, i64 3, i64 4, i64 5, i64 6, i64 7, ptr addrspace(1) %p0)
  %v6 = call i64 @native(i64 %p1) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %v3, ptr addrspace(1) %p0, ptr addrspace(1) %p0), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v7 = icmp sge i64 %v6, %p1
  %v8 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v9 = or i64 %v8, 5
  %v10 = select i1 %v7, i64 %v9, i64 %v9
  %v11 = load i64, ptr %sum
  %v12 = mul i64 %v11, 31
  %v13 = xor i64 %v12, %p1
  store i64 %v13, ptr %sum
  %v14 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v15 = load i64, ptr addrspace(1) %v14
  %v16 = load i64, ptr %sum
  %v17 = mul i64 %v16, 31
  %v18 = xor i64 %v17, %v15
  store i64 %v18, ptr %sum
  %v19 = getelementptr inbounds %node, ptr addrspace(1) %v5, i64 0, i32 1, i64 0
  %v20 = load i64, ptr addrspace(1) %v19
  %v21 = load i64, ptr %sum
  %v22 = mul i64 %v21, 31
  %v23 = xor i64 %v22, %v20
  store i64 %v23, ptr %sum
  %v24 = load i64, ptr %sum
  ret i64 %v24
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) noinline "smd-safepoints"="backedge" gc "statepoint-example" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  store i64 4, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v5 = mul i64 0, 31
  %v6 = add i64 %v5, %p1
  %v8 = icmp eq ptr addrspace(1) %p0, null
  %v9 = select i1 %v8, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v11 = getelementptr %node, ptr addrspace(1) %v9, i64 0, i32 1, i64 0
  %v10 = load i64, ptr addrspace(1) %v11
  %v7 = select i1 %v8, i64 1, i64 %v10
  %v12 = mul i64 %v6, 31
  %v13 = add i64 %v12, %v7
  %v15 = icmp eq ptr addrspace(1) %p0, null
  %v16 = select i1 %v15, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v18 = getelementptr %node, ptr addrspace(1) %v16, i64 0, i32 1, i64 0
  %v17 = load i64, ptr addrspace(1) %v18
  %v14 = select i1 %v15, i64 1, i64 %v17
  %v19 = mul i64 %v13, 31
  %v20 = add i64 %v19, %v14
  %v22 = icmp eq ptr addrspace(1) %p0, null
  %v23 = select i1 %v22, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v25 = getelementptr inbounds %node, ptr addrspace(1) %v23, i64 0, i32 1, i64 0
  %v24 = load i64, ptr addrspace(1) %v25
  %v21 = select i1 %v22, i64 1, i64 %v24
  %v26 = mul i64 %v20, 31
  %v27 = add i64 %v26, %v21
  %v29 = icmp eq ptr addrspace(1) %p0, null
  %v30 = select i1 %v29, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v32 = getelementptr %node, ptr addrspace(1) %v30, i64 0, i32 1, i64 0
  %v31 = load i64, ptr addrspace(1) %v32
  %v28 = select i1 %v29, i64 1, i64 %v31
  %v33 = mul i64 %v27, 31
  %v34 = add i64 %v33, %v28
  %v3 = call i64 @observe(i64 %v34) [ "deopt"(i32 20773, i32 174085, i64 %p1, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %p0) ]
  %v35 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %p0)
  %v36 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %v35)
  %v37 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %p0)
  %v40 = insertvalue { ptr addrspace(1), i64 } poison, ptr addrspace(1) %v37, 0
  %v41 = insertvalue { ptr addrspace(1), i64 } %v40, i64 706, 1
  br label %b38
b38:
  %v42 = phi { ptr addrspace(1), i64 } [ %v41, %run ], [ %v42, %b46 ]
  %v43 = load i64, ptr @fuel
  %v44 = sub i64 %v43, 1
  store i64 %v44, ptr @fuel
  %v45 = icmp slt i64 %v43, 1
  %v47 = call i64 @smd.gc.to_int(ptr addrspace(1) %v35)
  %v48 = or i64 %v47, 3
  br i1 %v45, label %b39, label %b46
b46:
  %v49 = tail call ptr addrspace(1) @allocate(i64 88, i64 3)
  %v50 = getelementptr %node, ptr addrspace(1) %v49, i64 0, i32 1, i64 0
  store ptr addrspace(1) %v49, ptr addrspace(1) %v49
  store i64 %p1, ptr addrspace(1) %v50
  br label %b38
b39:
  %v51 = phi i64 [ %v48, %b38 ]
  %v52 = phi i64 [ %v48, %b38 ]
  %v53 = phi i64 [ %p1, %b38 ]
  %v54 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 24
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 %v54, i8 78, i64 24, i1 false) "smd-no-references"
  %v55 = freeze ptr addrspace(1) %p0
  %v58 = insertvalue [2 x ptr addrspace(1)] poison, ptr addrspace(1) %v55, 0
  %v59 = insertvalue [2 x ptr addrspace(1)] %v58, ptr addrspace(1) %v55, 1
  %v60 = call i64 @smd.gc.to_int(ptr addrspace(1) %v35)
  %v61 = or i64 %v60, 7
  br label %b56
b56:
  %v62 = phi [2 x ptr addrspace(1)] [ %v59, %b39 ], [ %v62, %b100 ]
  %v63 = phi ptr addrspace(1) [ %v55, %b39 ], [ %v35, %b100 ]
  %v64 = phi i64 [ %v61, %b39 ], [ %v48, %b100 ]
  %v65 = load i64, ptr @fuel
  %v66 = sub i64 %v65, 1
  store i64 %v66, ptr @fuel
  %v67 = icmp slt i64 %v65, 1
  br i1 %v67, label %b57, label %b68
b68:
  br label %b69
b69:
  %v71 = phi [2 x ptr addrspace(1)] [ %v59, %b68 ], [ %v71, %b88 ]
  %v72 = phi { ptr addrspace(1), i64 } [ %v41, %b68 ], [ %v72, %b88 ]
  %v73 = phi ptr addrspace(1) [ %v55, %b68 ], [ %v55, %b88 ]
  %v74 = load i64, ptr @fuel
  %v75 = sub i64 %v74, 1
  store i64 %v75, ptr @fuel
  %v76 = icmp slt i64 %v74, 1
  br i1 %v76, label %b70, label %b77
b77:
  %v79 = and i64 %p1, 15
  %v78 = lshr i64 4096, %v79
  %v80 = icmp eq ptr addrspace(1) %v73, null
  %v81 = select i1 %v80, ptr addrspace(1) %v35, ptr addrspace(1) %v73
  %v82 = getelementptr inbounds %node, ptr addrspace(1) %v81, i64 0, i32 1, i64 0
  %v83 = load i64, ptr addrspace(1) %v82
  %v84 = load i64, ptr %sum
  %v85 = mul i64 %v84, 31
  %v86 = xor i64 %v85, %v83
  store i64 %v86, ptr %sum
  %v87 = icmp ugt i64 %v53, %v78
  br i1 %v87, label %b70, label %b88
b88:
  br label %b69
b70:
  %v89 = phi ptr addrspace(1) [ %v55, %b69 ], [ %v55, %b77 ]
  %a91 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v63, ptr %a91
  %v90 = atomicrmw xchg ptr %a91, ptr addrspace(1) %v63 seq_cst
  %v92 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v36)
  %a95 = alloca ptr addrspace(1)
  store ptr addrspace(1) %p0, ptr %a95
  %b95 = cmpxchg ptr %a95, ptr addrspace(1) %p0, ptr addrspace(1) %p0 seq_cst seq_cst
  %v94 = extractvalue { ptr addrspace(1), i1 } %b95, 0
  %v96 = select i1 true, ptr addrspace(1) %v55, ptr addrspace(1) %v55
  %v98 = call ptr addrspace(1) @smd.gc.from_int(i64 %v48)
  br label %b99
b99:
  %v101 = phi [2 x ptr addrspace(1)] [ %v59, %b70 ], [ %v101, %b116 ]
  %v102 = phi ptr addrspace(1) [ %v94, %b70 ], [ %v103, %b116 ]
  %v108 = load i64, ptr @fuel
  %v109 = sub i64 %v108, 1
  store i64 %v109, ptr @fuel
  %v110 = icmp slt i64 %v108, 1
  %v105 = icmp eq ptr addrspace(1) %v102, null
  %v106 = or i1 %v110, %v105
  br i1 %v106, label %b100, label %b111
b111:
  %v112 = call ptr addrspace(1) @allocate(i64 104, i64 3) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %p0) ]
  %v113 = getelementptr inbounds i8, ptr addrspace(1) %v112, i64 24
  store ptr addrspace(1) %v89, ptr addrspace(1) %v112
  store i64 %p1, ptr addrspace(1) %v113
  store ptr addrspace(1) %v63, ptr addrspace(1) %v89
  %v115 = icmp sge i64 %p1, %p1
  br i1 %v115, label %b100, label %b116
b116:
  %v107 = select i1 %v105, ptr addrspace(1) %v63, ptr addrspace(1) %v102
  %v104 = getelementptr i8, ptr addrspace(1) %v107, i64 8
  %v103 = load ptr addrspace(1), ptr addrspace(1) %v104
  br label %b99
b100:
  %v117 = phi ptr addrspace(1) [ %v94, %b99 ], [ %v102, %b111 ]
  %v118 = phi ptr addrspace(1) [ null, %b99 ], [ %v73, %b111 ]
  %v119 = phi i64 [ %v53, %b99 ], [ %p1, %b111 ]
  br label %b56
b57:
  %v120 = phi ptr addrspace(1) [ %v37, %b56 ]
  %v121 = phi { ptr addrspace(1), i64 } [ %v41, %b56 ]
  br label %b122
b122:
  %v124 = phi ptr addrspace(1) [ %p0, %b57 ], [ %v154, %b159 ]
  %v125 = phi ptr addrspace(1) [ %v55, %b57 ], [ %v35, %b159 ]
  %v126 = phi ptr addrspace(1) [ %v63, %b57 ], [ %v63, %b159 ]
  %v127 = phi ptr addrspace(1) [ %v63, %b57 ], [ %v128, %b159 ]
  %v133 = load i64, ptr @fuel
  %v134 = sub i64 %v133, 1
  store i64 %v134, ptr @fuel
  %v135 = icmp slt i64 %v133, 1
  %v130 = icmp eq ptr addrspace(1) %v127, null
  %v131 = or i1 %v135, %v130
  %v137 = insertvalue { ptr addrspace(1), i64 } poison, ptr addrspace(1) %p0, 0
  %v138 = insertvalue { ptr addrspace(1), i64 } %v137, i64 %p1, 1
  br i1 %v131, label %b123, label %b136
b136:
  %v139 = freeze ptr addrspace(1) %v55
  br label %b140
b140:
  %v142 = phi [2 x ptr addrspace(1)] [ %v59, %b136 ], [ %v142, %b151 ]
  %v143 = phi { ptr addrspace(1), i64 } [ %v121, %b136 ], [ %v143, %b151 ]
  %v144 = load i64, ptr @fuel
  %v145 = sub i64 %v144, 1
  store i64 %v145, ptr @fuel
  %v146 = icmp slt i64 %v144, 1
  br i1 %v146, label %b141, label %b147
b147:
  %v149 = extractvalue [2 x ptr addrspace(1)] %v59, 0
  %v150 = icmp slt i64 85, %v53
  br i1 %v150, label %b141, label %b151
b151:
  br label %b140
b141:
  %v152 = phi ptr addrspace(1) [ %v125, %b140 ], [ %v139, %b147 ]
  %v153 = alloca [8 x i64], align 128
  call void @llvm.memset.p0.i64(ptr %v153, i8 220, i64 64, i1 false)
  store i64 %p1, ptr %v153
  %v154 = call ptr addrspace(1) @allocate(i64 88, i64 3) [ "deopt"(i32 20773, i32 174085, i64 %p1, ptr addrspace(1) %v120, ptr addrspace(1) %v63, ptr addrspace(1) %v63, ptr addrspace(1) %v63) ]
  %v155 = getelementptr inbounds i8, ptr addrspace(1) %v154, i64 24
  store ptr addrspace(1) %v139, ptr addrspace(1) %v154
  store i64 9223372036854775807, ptr addrspace(1) %v155
  %v157 = getelementptr i8, ptr addrspace(1) %v35, i64 72
  %v156 = load i64, ptr addrspace(1) %v157, !tbaa !4
  %v158 = icmp eq i64 %v53, %v156
  br i1 %v158, label %b123, label %b159
b159:
  %v132 = select i1 %v130, ptr addrspace(1) %v55, ptr addrspace(1) %v127
  %v129 = getelementptr i8, ptr addrspace(1) %v132, i64 8
  %v128 = load ptr addrspace(1), ptr addrspace(1) %v129
  br label %b122
b123:
  %v160 = phi ptr addrspace(1) [ %v55, %b122 ], [ %v154, %b141 ]
  %v161 = phi { ptr addrspace(1), i64 } [ %v138, %b122 ], [ %v121, %b141 ]
  %v162 = getelementptr inbounds i8, ptr addrspace(1) %v63, i64 24
  %v163 = load i64, ptr addrspace(1) %v162
  %v164 = load i64, ptr %sum
  %v165 = mul i64 %v164, 31
  %v166 = xor i64 %v165, %v163
  store i64 %v166, ptr %sum
  %v167 = call ptr addrspace(1) @smd.gc.from_int(i64 %v64)
  %v168 = getelementptr i8, ptr addrspace(1) %v167, i64 24
  %v169 = load i64, ptr addrspace(1) %v168
  %v170 = load i64, ptr %sum
  %v171 = mul i64 %v170, 31
  %v172 = xor i64 %v171, %v169
  store i64 %v172, ptr %sum
  %v173 = getelementptr %node, ptr addrspace(1) %v55, i64 0, i32 1, i64 0
  %v174 = load i64, ptr addrspace(1) %v173
  %v175 = load i64, ptr %sum
  %v176 = mul i64 %v175, 31
  %v177 = xor i64 %v176, %v174
  store i64 %v177, ptr %sum
  %v178 = load i64, ptr %sum
  call void @note(i64 %v178)
  call void @throw_value(ptr addrspace(1) %v124)
  unreachable
}

define i64 @program(i64 %n) gc "statepoint-example" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %tagged.local = alloca i64
  %tagged.frame = alloca { i64, [2 x double], ptr }
  %tagged.copy = alloca { i64, [2 x double], ptr }
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = tail call ptr addrspace(1) @allocate(i64 104, i64 3) [ "deopt"(i32 20773, i32 10244, i64 %n, ptr addrspace(1) %first, ptr addrspace(1) %first, i64 %n) ]
  %v1 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  store ptr addrspace(1) %v0, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 16, ptr @fuel
  %v6 = insertvalue { ptr addrspace(1), i64 } zeroinitializer, ptr addrspace(1) %v0, 0
  %v7 = insertvalue { ptr addrspace(1), i64 } %v6, i64 %n, 1
  %v5 = invoke fastcc i64 @f0(ptr addrspace(1) %first, ptr addrspace(1) %v0, { ptr addrspace(1), i64 } %v7, ptr addrspace(1) %first, ptr addrspace(1) %v0) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %first) ] to label %b2 unwind label %b3
b2:
  %v8 = icmp ugt i64 %v5, %v5
  %v9 = select i1 %v8, i64 %v5, i64 %v5
  br i1 %v8, label %b11, label %b12
b11:
  %v16 = call i64 @smd.gc.to_int(ptr addrspace(1) %first)
  %v17 = or i64 %v16, 6
  br label %b14
b14:
  %v18 = phi i64 [ %v9, %b11 ], [ %n, %b31 ]
  %v19 = phi ptr addrspace(1) [ %first, %b11 ], [ %v19, %b31 ]
  %v20 = phi i64 [ %v17, %b11 ], [ %v26, %b31 ]
  %v21 = phi i64 [ 0, %b11 ], [ %v22, %b31 ]
  %v23 = icmp sge i64 %v21, 2
  %v25 = call i64 @smd.gc.to_int(ptr addrspace(1) %v19)
  %v26 = or i64 %v25, 5
  %v27 = insertvalue [2 x ptr addrspace(1)] zeroinitializer, ptr addrspace(1) %first, 0
  %v28 = insertvalue [2 x ptr addrspace(1)] %v27, ptr addrspace(1) %first, 1
  br i1 %v23, label %b15, label %b24
b24:
  %v32 = invoke fastcc ptr addrspace(1) @f2(ptr addrspace(1) %v0, { ptr addrspace(1), i64 } %v7, ptr addrspace(1) %v19, ptr addrspace(1) %v19, { ptr addrspace(1), i64 } %v7) to label %b29 unwind label %b30
b29:
  %v33 = select i1 %v8, { ptr addrspace(1), i64 } %v7, { ptr addrspace(1), i64 } %v7
  %v34 = insertvalue { ptr addrspace(1), i64 } poison, ptr addrspace(1) %v19, 0
  %v35 = insertvalue { ptr addrspace(1), i64 } %v34, i64 %v5, 1
  %v36 = notail call fastcc ptr addrspace(1) @f2(ptr addrspace(1) %v19, { ptr addrspace(1), i64 } %v33, ptr addrspace(1) %v32, ptr addrspace(1) %v32, { ptr addrspace(1), i64 } %v35)
  %v37 = icmp eq ptr addrspace(1) %v36, null
  %v38 = select i1 %v37, ptr addrspace(1) %first, ptr addrspace(1) %v36
  %v40 = getelementptr %node, ptr addrspace(1) %v38, i64 0, i32 1, i64 5
  %v39 = load i64, ptr addrspace(1) %v40, !tbaa !4
  br label %b31
b30:
  %v41 = landingpad token cleanup
  %v42 = call ptr addrspace(1) @caught()
  %v44 = and i64 %v18, 7
  %v45 = add i64 %v44, 1
  %v43 = alloca i64, i64 %v45, align 32
  store i64 %v18, ptr %v43
  br label %b31
b31:
  %v46 = phi ptr addrspace(1) [ %v0, %b29 ], [ %v19, %b30 ]
  %v22 = add nsw i64 %v21, 1
  br label %b14
b15:
  %v47 = phi i64 [ %v26, %b14 ]
  %v48 = phi { ptr addrspace(1), i64 } [ %v7, %b14 ]
  %v49 = phi [2 x ptr addrspace(1)] [ %v28, %b14 ]
  %v50 = call ptr addrspace(1) @kept(i64 2)
  %v51 = insertvalue { ptr addrspace(1), i64 } %v48, i64 %n, 1
  %v56 = invoke i64 @reentered(ptr addrspace(1) %v19, i64 %v9) [ "deopt"(i32 20773, i32 1, i64 %v21) ] to label %b52 unwind label %b54
b52:
  %v60 = invoke i64 @listed(ptr addrspace(1) %v19, i64 127) to label %b57 unwind label %b58
b57:
  %v61 = getelementptr inbounds i8, ptr addrspace(1) %first, i64 24
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v61, ptr addrspace(1) align 8 %v61, i64 24, i1 false) "smd-no-references"
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v61, ptr addrspace(1) align 8 %v61, i64 24, i1 false) "smd-no-references"
  %v62 = getelementptr { i64, [2 x double], ptr }, ptr %tagged.frame, i64 0, i32 1, i64 1
  store i64 %v17, ptr %v62
  %v64 = call ptr addrspace(1) @make(i64 %v18, ptr addrspace(1) %v19) [ "deopt"(i32 20773, i32 43524, ptr addrspace(1) %v0, ptr addrspace(1) %v19, ptr addrspace(1) %v50, ptr addrspace(1) %v19) ]
  %v66 = load double, ptr %v62
  %v65 = bitcast double %v66 to i64
  br label %b59
b58:
  %v67 = landingpad token cleanup
  %v68 = call ptr addrspace(1) @caught()
  br label %b59
b59:
  %v69 = phi i64 [ %v21, %b57 ], [ %v56, %b58 ]
  %v70 = call i64 @native(i64 %v18) [ "deopt"(i32 20773, i32 2, i64 %v18, i64 %v56), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v71 = invoke i64 @listed(ptr addrspace(1) %first, i64 %v21) to label %b53 unwind label %b54
b53:
  br label %b55
b54:
  %v72 = phi i64 [ %n, %b15 ], [ %v21, %b59 ]
  %v73 = landingpad token cleanup
  %v74 = call ptr addrspace(1) @caught()
  %v76 = and i64 %n, 7
  %v75 = call i64 @stir(ptr addrspace(1) %v74, i64 %v76) [ "deopt"(i32 20773, i32 2564, ptr addrspace(1) %v50, ptr addrspace(1) %v19, i64 %v5, i64 %v18) ]
  br label %b55
b55:
  %v77 = phi ptr addrspace(1) [ %v19, %b53 ], [ %v19, %b54 ]
  %v78 = phi [2 x ptr addrspace(1)] [ %v28, %b53 ], [ %v28, %b54 ]
  %v79 = phi i64 [ %v56, %b53 ], [ %v5, %b54 ]
  br label %b13
b12:
  %v81 = call i64 @smd.gc.to_int(ptr addrspace(1) %first)
  %v82 = or i64 %v81, 7
  %v80 = xor i64 %v82, 1
  call void @collect()
  %v83 = load i64, ptr %sum
  ret i64 %v83
b13:
  %v84 = phi ptr addrspace(1) [ %v19, %b55 ]
  %v85 = phi [2 x ptr addrspace(1)] [ %v28, %b55 ]
  br label %b4
b3:
  %v86 = landingpad token cleanup
  %v87 = call ptr addrspace(1) @caught()
  call void @collect() [ "deopt"(i32 20773, i32 139269, i64 %n, i64 %n, ptr addrspace(1) %v0, i64 0, ptr addrspace(1) %first) ]
  %v88 = call ptr addrspace(1) asm "", "=r,0"(ptr addrspace(1) %v0)
  %v90 = call i64 @smd.gc.to_int(ptr addrspace(1) %first)
  %v91 = or i64 %v90, 7
  %v92 = select i1 true, i64 %v91, i64 %v91
  %v94 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v88)
  %v96 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v94, ptr %v96
  %v97 = call ptr @"same.ptr"(ptr %v96)
  %a100 = insertvalue { i32, i64 } poison, i64 %v91, 1
  %v99 = extractvalue { i32, i64 } %a100, 1
  %v101 = call ptr addrspace(1) @"same.ptr addrspace(1)"(ptr addrspace(1) %first)
  %v103 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v94)
  %v105 = call ptr @llvm.ptrmask.p0.i64(ptr %v96, i64 -8)
  %v107 = call i64 @native(i64 %n) [ "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v112 = invoke fastcc i64 @f0(ptr addrspace(1) %v0, ptr addrspace(1) %first, { ptr addrspace(1), i64 } %v7, ptr addrspace(1) %v101, ptr addrspace(1) %first) [ "deopt"(i32 20773, i32 2565, ptr addrspace(1) %v101, ptr addrspace(1) %v94, i64 %n, i64 85, i64 %v107) ] to label %b108 unwind label %b110
b108:
  %v113 = add i64 %v107, %n
  %v114 = invoke fastcc ptr addrspace(1) @f2(ptr addrspace(1) %v101, { ptr addrspace(1), i64 } %v7, ptr addrspace(1) %v94, ptr addrspace(1) %first, { ptr addrspace(1), i64 } %v7) to label %b109 unwind label %b110
b109:
  br label %b111
b110:
  %v115 = phi i64 [ %v91, %b3 ], [ %v91, %b108 ]
  %v116 = phi i64 [ %v107, %b3 ], [ %v107, %b108 ]
  %v117 = landingpad token cleanup
  %v118 = call ptr addrspace(1) @caught()
  %v119 = icmp eq i64 %v107, %n
  %v120 = insertvalue [2 x ptr addrspace(1)] poison, ptr addrspace(1) %v87, 0
  %v121 = insertvalue [2 x ptr addrspace(1)] %v120, ptr addrspace(1) %v94, 1
  %v122 = select i1 %v119, [2 x ptr addrspace(1)] %v121, [2 x ptr addrspace(1)] %v121
  %v123 = load ptr addrspace(1), ptr addrspace(1) %first
  %v124 = call ptr @smd.gc.pin(ptr addrspace(1) %v123)
  %v127 = call ptr addrspace(1) @make(i64 %v107, ptr addrspace(1) %v101) [ "deopt"(i32 20773, i32 514, ptr addrspace(1) %v87, i64 %v107) ]
  call void @collect()
  %v125 = getelementptr i8, ptr %v124, i64 24
  %v126 = load i64, ptr %v125
  call void @collect()
  store i64 720, ptr %v125
  call void @smd.gc.unpin(ptr %v124)
  %v128 = getelementptr %node, ptr addrspace(1) %v118, i64 0, i32 1, i64 0
  %v129 = load i64, ptr addrspace(1) %v128
  %v130 = load i64, ptr %sum
  %v131 = mul i64 %v130, 31
  %v132 = xor i64 %v131, %v129
  store i64 %v132, ptr %sum
  %v133 = getelementptr inbounds %node, ptr addrspace(1) %v87, i64 0, i32 1, i64 0
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v133, ptr addrspace(1) align 8 %v133, i64 16, i1 false) "smd-no-references"
  %v134 = call i64 @smd.gc.to_int(ptr addrspace(1) %v127)
  %v135 = or i64 %v134, 1
  %v136 = call ptr addrspace(1) @smd.gc.from_int(i64 %v135)
  br label %b111
b111:
  %v137 = phi ptr addrspace(1) [ %v101, %b109 ], [ %v101, %b110 ]
  %v138 = phi ptr addrspace(1) [ %v114, %b109 ], [ %v94, %b110 ]
  %v139 = extractvalue { ptr addrspace(1), i64 } %v7, 0
  %v140 = getelementptr i8, ptr addrspace(1) %v139, i64 24
  %v141 = load i64, ptr addrspace(1) %v140
  %v142 = load i64, ptr %sum
  %v143 = mul i64 %v142, 31
  %v144 = xor i64 %v143, %v141
  store i64 %v144, ptr %sum
  %v145 = extractvalue { ptr addrspace(1), i64 } %v7, 1
  %v146 = load i64, ptr %sum
  %v147 = mul i64 %v146, 31
  %v148 = xor i64 %v147, %v145
  store i64 %v148, ptr %sum
  %v149 = load i64, ptr %sum
  ret i64 %v149
b4:
  %v150 = phi [2 x ptr addrspace(1)] [ %v85, %b13 ]
  %v151 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v0)
  %v152 = alloca [8 x i64], align 32
  call void @llvm.memset.p0.i64(ptr %v152, i8 24, i64 64, i1 false)
  store i64 %n, ptr %v152
  %v153 = getelementptr %node, ptr addrspace(1) %v151, i64 0, i32 1, i64 0
  %v154 = load i64, ptr addrspace(1) %v153
  %v155 = load i64, ptr %sum
  %v156 = mul i64 %v155, 31
  %v157 = xor i64 %v156, %v154
  store i64 %v157, ptr %sum
  %v158 = load i64, ptr %sum
  %v159 = mul i64 %v158, 31
  %v160 = xor i64 %v159, %n
  store i64 %v160, ptr %sum
  %v161 = extractvalue [2 x ptr addrspace(1)] %v150, 0
  %v162 = getelementptr inbounds %node, ptr addrspace(1) %v161, i64 0, i32 1, i64 0
  %v163 = load i64, ptr addrspace(1) %v162
  %v164 = load i64, ptr %sum
  %v165 = mul i64 %v164, 31
  %v166 = xor i64 %v165, %v163
  store i64 %v166, ptr %sum
  %v167 = extractvalue [2 x ptr addrspace(1)] %v150, 1
  %v168 = getelementptr inbounds %node, ptr addrspace(1) %v167, i64 0, i32 1, i64 0
  %v169 = load i64, ptr addrspace(1) %v168
  %v170 = load i64, ptr %sum
  %v171 = mul i64 %v170, 31
  %v172 = xor i64 %v171, %v169
  store i64 %v172, ptr %sum
  store i64 4, ptr @fuel
  %v176 = invoke i64 @f1(ptr addrspace(1) %v0, i64 %n, i64 %n) [ "deopt"(i32 20773, i32 2, i64 934, i64 4096) ] to label %b173 unwind label %b174
b173:
  %v177 = call i64 @smd.gc.to_int(ptr addrspace(1) %v151)
  %v178 = or i64 %v177, 7
  %v179 = bitcast i64 %v178 to double
  store double %v179, ptr %tagged.local
  %v180 = call ptr addrspace(1) @make(i64 %v176, ptr addrspace(1) %v151) [ "deopt"(i32 20773, i32 2050, i64 %v176, ptr addrspace(1) %v151) ]
  %v182 = load double, ptr %tagged.local
  %v181 = bitcast double %v182 to i64
  %v183 = alloca [4 x i64], align 128
  call void @llvm.memset.p0.i64(ptr %v183, i8 222, i64 32, i1 false)
  store i64 %v176, ptr %v183
  br label %b175
b174:
  %v184 = landingpad token cleanup
  %v185 = call ptr addrspace(1) @caught()
  %v186 = call i64 @smd.gc.to_int(ptr addrspace(1) %v185)
  %v187 = or i64 %v186, 3
  %v188 = select i1 true, i64 %v187, i64 %v187
  %v190 = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %v185)
  %a193 = alloca ptr addrspace(1)
  store volatile ptr addrspace(1) %v151, ptr %a193
  %v192 = load volatile ptr addrspace(1), ptr %a193
  %v194 = select i1 true, i64 %v187, i64 %v187
  %v196 = mul i64 %n, %n
  br label %b175
b175:
  %v197 = phi ptr addrspace(1) [ %v0, %b173 ], [ %v190, %b174 ]
  %v198 = phi ptr addrspace(1) [ %v151, %b173 ], [ %v151, %b174 ]
  %v199 = call ptr @smd.gc.pin(ptr addrspace(1) %v151)
  %v202 = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %v197) [ "deopt"(i32 20773, i32 166405, ptr addrspace(1) %v151, ptr addrspace(1) %v151, i64 %n, ptr addrspace(1) %v198, ptr addrspace(1) %v0) ]
  %v200 = getelementptr i8, ptr %v199, i64 24
  %v201 = load i64, ptr %v200
  %v203 = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %v151) [ "deopt"(i32 20773, i32 133637, ptr addrspace(1) %v151, ptr addrspace(1) %v151, i64 %n, i64 754, ptr addrspace(1) %v0) ]
  store i64 %n, ptr %v200
  call void @smd.gc.unpin(ptr %v199)
  %v204 = call i64 @listed(ptr addrspace(1) %v197, i64 163) [ "deopt"(i32 20773, i32 514, ptr addrspace(1) %v203, i64 361) ]
  %v205 = extractvalue { ptr addrspace(1), i64 } %v7, 0
  %v206 = getelementptr i8, ptr addrspace(1) %v205, i64 24
  %v207 = load i64, ptr addrspace(1) %v206
  %v208 = load i64, ptr %sum
  %v209 = mul i64 %v208, 31
  %v210 = xor i64 %v209, %v207
  store i64 %v210, ptr %sum
  %v211 = extractvalue { ptr addrspace(1), i64 } %v7, 1
  %v212 = load i64, ptr %sum
  %v213 = mul i64 %v212, 31
  %v214 = xor i64 %v213, %v211
  store i64 %v214, ptr %sum
  %v215 = load i64, ptr %sum
  %v216 = mul i64 %v215, 31
  %v217 = xor i64 %v216, %v201
  store i64 %v217, ptr %sum
  %v218 = getelementptr inbounds i8, ptr addrspace(1) %v202, i64 24
  %v219 = load i64, ptr addrspace(1) %v218
  %v220 = load i64, ptr %sum
  %v221 = mul i64 %v220, 31
  %v222 = xor i64 %v221, %v219
  store i64 %v222, ptr %sum
  store i64 9, ptr @fuel
  %v223 = call fastcc ptr addrspace(1) @f2(ptr addrspace(1) %v0, { ptr addrspace(1), i64 } %v7, ptr addrspace(1) %v151, ptr addrspace(1) %first, { ptr addrspace(1), i64 } %v7) [ "deopt"(i32 20773, i32 2563, ptr addrspace(1) %v0, ptr addrspace(1) %first, i64 %v201) ]
  %v224 = icmp eq ptr addrspace(1) %v223, null
  %v225 = select i1 %v224, ptr addrspace(1) %v151, ptr addrspace(1) %v223
  %v226 = getelementptr inbounds i8, ptr addrspace(1) %v225, i64 24
  %v227 = load i64, ptr addrspace(1) %v226
  %v228 = load i64, ptr %sum
  %v229 = mul i64 %v228, 31
  %v230 = xor i64 %v229, %v227
  store i64 %v230, ptr %sum
  %v231 = getelementptr inbounds i8, ptr addrspace(1) %v197, i64 24
  %v232 = load i64, ptr addrspace(1) %v231
  %v233 = load i64, ptr %sum
  %v234 = mul i64 %v233, 31
  %v235 = xor i64 %v234, %v232
  store i64 %v235, ptr %sum
  %v237 = call i64 @smd.gc.to_int(ptr addrspace(1) %v151)
  %v238 = or i64 %v237, 6
  %v236 = xor i64 %v238, 0
  call void @collect()
  %v239 = getelementptr inbounds i8, ptr addrspace(1) %v0, i64 24
  %v240 = load i64, ptr addrspace(1) %v239
  %v241 = load i64, ptr %sum
  %v242 = mul i64 %v241, 31
  %v243 = xor i64 %v242, %v240
  store i64 %v243, ptr %sum
  %v244 = getelementptr inbounds i8, ptr addrspace(1) %v203, i64 24
  %v245 = load i64, ptr addrspace(1) %v244
  %v246 = load i64, ptr %sum
  %v247 = mul i64 %v246, 31
  %v248 = xor i64 %v247, %v245
  store i64 %v248, ptr %sum
  %v249 = getelementptr i8, ptr addrspace(1) %v197, i64 24
  %v250 = load i64, ptr addrspace(1) %v249
  %v251 = load i64, ptr %sum
  %v252 = mul i64 %v251, 31
  %v253 = xor i64 %v252, %v250
  store i64 %v253, ptr %sum
  store i64 15, ptr @fuel
  %v254 = call i64 @listed(ptr addrspace(1) %v151, i64 %n) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v151) ]
  %v255 = load i64, ptr %sum
  %v256 = mul i64 %v255, 31
  %v257 = xor i64 %v256, %v254
  store i64 %v257, ptr %sum
  %v258 = load i64, ptr %sum
  %v259 = mul i64 %v258, 31
  %v260 = xor i64 %v259, %n
  store i64 %v260, ptr %sum
  %v261 = getelementptr %node, ptr addrspace(1) %v203, i64 0, i32 1, i64 0
  %v262 = load i64, ptr addrspace(1) %v261
  %v263 = load i64, ptr %sum
  %v264 = mul i64 %v263, 31
  %v265 = xor i64 %v264, %v262
  store i64 %v265, ptr %sum
  %v266 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v267 = load i64, ptr addrspace(1) %v266
  %v268 = load i64, ptr %sum
  %v269 = mul i64 %v268, 31
  %v270 = xor i64 %v269, %v267
  store i64 %v270, ptr %sum
  store i64 21, ptr @fuel
  %v274 = invoke i64 @reentered(ptr addrspace(1) %first, i64 %v201) to label %b271 unwind label %b272
b271:
  %v275 = getelementptr inbounds %node, ptr addrspace(1) %v197, i64 0, i32 1, i64 0
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 %v275, i8 224, i64 24, i1 false) "smd-no-references"
  %v276 = call ptr addrspace(1) @llvm.strip.invariant.group.p1(ptr addrspace(1) %first)
  %v278 = alloca ptr addrspace(1)
  store ptr addrspace(1) %v276, ptr %v278
  %v279 = call ptr @llvm.launder.invariant.group.p0(ptr %v278)
  %v281 = call i64 @"same.i64"(i64 %v238)
  %v283 = select i1 true, ptr addrspace(1) %v276, ptr addrspace(1) %v276
  %v285 = call i64 @native(i64 %n) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v276), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v286 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %first, i64 %v254)
  %v287 = extractvalue { i1, ptr addrspace(1) } %v286, 0
  %v288 = extractvalue { i1, ptr addrspace(1) } %v286, 1
  %v290 = call ptr addrspace(1) @make(i64 %v201, ptr addrspace(1) %first)
  call void @collect()
  %v289 = select i1 %v287, ptr addrspace(1) %v288, ptr addrspace(1) %first
  call void @collect()
  br label %b273
b272:
  %v291 = landingpad token cleanup
  %v292 = call ptr addrspace(1) @caught()
  %v293 = getelementptr inbounds %node, ptr addrspace(1) %v225, i64 0, i32 1, i64 0
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v293, ptr addrspace(1) align 8 %v293, i64 16, i1 false) "smd-no-references"
  %v294 = load ptr addrspace(1), ptr addrspace(1) %v151, !dereferenceable !1
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v293, ptr addrspace(1) align 8 %v293, i64 8, i1 false) "smd-no-references"
  %v296 = getelementptr %node, ptr addrspace(1) %v151, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v151, ptr addrspace(1) %v296
  br label %b273
b273:
  %v297 = phi ptr addrspace(1) [ %v283, %b271 ], [ null, %b272 ]
  %v298 = phi i64 [ %v281, %b271 ], [ %v238, %b272 ]
  %v299 = getelementptr %node, ptr addrspace(1) %v203, i64 0, i32 1, i64 0
  %v300 = load i64, ptr addrspace(1) %v299
  %v301 = load i64, ptr %sum
  %v302 = mul i64 %v301, 31
  %v303 = xor i64 %v302, %v300
  store i64 %v303, ptr %sum
  %v304 = getelementptr i8, ptr addrspace(1) %v203, i64 24
  %v305 = load i64, ptr addrspace(1) %v304
  %v306 = load i64, ptr %sum
  %v307 = mul i64 %v306, 31
  %v308 = xor i64 %v307, %v305
  store i64 %v308, ptr %sum
  %v309 = icmp eq ptr addrspace(1) %v297, null
  %v310 = select i1 %v309, ptr addrspace(1) %v197, ptr addrspace(1) %v297
  %v311 = getelementptr %node, ptr addrspace(1) %v310, i64 0, i32 1, i64 0
  %v312 = load i64, ptr addrspace(1) %v311
  %v313 = load i64, ptr %sum
  %v314 = mul i64 %v313, 31
  %v315 = xor i64 %v314, %v312
  store i64 %v315, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v310)
  call void @keep(i64 1, ptr addrspace(1) %v225)
  %v316 = load i64, ptr %sum
  ret i64 %v316
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
