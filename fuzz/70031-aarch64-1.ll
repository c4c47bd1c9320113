; random: target=aarch64-unknown-linux-gnu opt=1 poll=tls:poll_thread:8 gc_registers=8 frame_pointer=all reloc=static code_model=large remat=false all_backedges=true counted_loop_bits=64 stackmap_format=compact elide=none split=functions
; compile: codegen_failed: No polls: page polls are for functions with statepoints, and this one has GC "shadow-stack"; poll=call:SYMBOL or poll=flag:SYMBOL:SLOW work in both
; seed 70031
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
@united = external global [4 x { i64, i64 }]
declare void @llvm.gcroot(ptr, ptr)
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

define internal ptr addrspace(1) @inlined(ptr addrspace(1) %o, i64 %n) inlinehint gc "coreclr" {
  %slot = getelementptr i8, ptr addrspace(1) %o, i64 16
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %o, ptr addrspace(1) %slot)
  call void @collect()
  %r = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %slot)
  %next = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %r)
  %first = getelementptr i8, ptr addrspace(1) %next, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %next, ptr addrspace(1) %first)
  ret ptr addrspace(1) %next
}

define internal ptr addrspace(1) @turns(ptr addrspace(1) %o, i64 %n) inlinehint gc "coreclr" {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %j, %turn ]
  %at = phi ptr addrspace(1) [ %o, %entry ], [ %to, %turn ]
  %to = call ptr addrspace(1) @inlined(ptr addrspace(1) %at, i64 %i)
  %j = add i64 %i, 1
  %over = icmp eq i64 %j, 3
  br i1 %over, label %end, label %turn
end:
  ret ptr addrspace(1) %to
}

define internal void @pushed(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h) noinline gc "coreclr" {
  call void @collect()
  ret void
}

define internal ptr addrspace(1) @crowded(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, ptr addrspace(1) %object) gc "coreclr" {
  call void @note(i64 %a)
  %wide = alloca [64 x i8], align 64
  %slot = alloca ptr addrspace(1)
  store ptr addrspace(1) %object, ptr %slot
  call void asm sideeffect "", "r,r,~{memory}"(ptr %slot, ptr %wide)
  call void @pushed(i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, i64 %a)
  %v = load ptr addrspace(1), ptr %slot
  ret ptr addrspace(1) %v
}

define internal ptr addrspace(1) @swap(ptr %slot, ptr addrspace(1) %v) noinline gc "coreclr" {
  call void @collect()
  %old = load ptr addrspace(1), ptr %slot
  call void @collect()
  store ptr addrspace(1) %v, ptr %slot
  ret ptr addrspace(1) %old
}

define internal ptr addrspace(3) @swap.small(ptr %slot, ptr addrspace(3) %v) noinline gc "coreclr" {
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

define internal fastcc ptr addrspace(3) @f0(ptr addrspace(1) nonnull %p0, <2 x ptr addrspace(3)> %p1) nounwind noinline optnone "frame-pointer"="all" cold gc "coreclr" {
entry:
  %sum = alloca i64
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
  ret ptr addrspace(3) zeroinitializer
run:
  %v3 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %p0, i64 41)
  %v4 = extractvalue { i1, ptr addrspace(1) } %v3, 0
  %v5 = extractvalue { i1, ptr addrspace(1) } %v3, 1
  call void @collect()
  call void @collect()
  %v6 = select i1 %v4, ptr addrspace(1) %v5, ptr addrspace(1) %p0
  %v7 = and i64 18, 3
  %v8 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v7, i32 0
  %v9 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v7, i32 1
  br label %b21
b21:
  %v14 = phi i64 [ 0, %run ], [ %v15, %b24 ]
  %v18 = phi i64 [ 0, %run ], [ %v17, %b24 ]
  %v10 = load i64, ptr %v8
  %v11 = icmp eq i64 %v10, 1
  br i1 %v11, label %b22, label %b23
b22:
  %v12 = load ptr addrspace(1), ptr %v9
  call void @collect()
  %v20 = getelementptr i8, ptr addrspace(1) %v12, i64 24
  %v19 = load i64, ptr addrspace(1) %v20
  br label %b24
b23:
  %v13 = load i64, ptr %v9
  br label %b24
b24:
  %v26 = phi i64 [ %v19, %b22 ], [ %v13, %b23 ]
  %v17 = add i64 %v18, %v26
  %v15 = add i64 %v14, 1
  %v16 = icmp uge i64 %v15, 1
  br i1 %v16, label %b25, label %b21
b25:
  %v27 = add i64 %v17, %v17
  %v29 = and i64 96, 3
  %v28 = getelementptr [4 x { ptr addrspace(3), i32 }], ptr %cells.small, i64 0, i64 %v29, i32 0
  %v31 = addrspacecast ptr addrspace(1) %v6 to ptr addrspace(3)
  %v30 = load ptr addrspace(3), ptr %v28
  store ptr addrspace(3) %v31, ptr %v28
  %v32 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %p0, i32 0
  %v33 = insertelement <2 x ptr addrspace(1)> %v32, ptr addrspace(1) null, i32 1
  %v35 = icmp eq <2 x ptr addrspace(1)> %v33, %v33
  %v34 = select <2 x i1> %v35, <2 x ptr addrspace(1)> %v33, <2 x ptr addrspace(1)> %v33
  %v36 = extractelement <2 x ptr addrspace(1)> %v34, i32 0
  %v37 = icmp eq ptr addrspace(1) %v36, null
  %v38 = select i1 %v37, ptr addrspace(1) %p0, ptr addrspace(1) %v36
  %v39 = getelementptr %node, ptr addrspace(1) %v38, i64 0, i32 1, i64 0
  %v40 = load i64, ptr addrspace(1) %v39
  %v41 = load i64, ptr %sum
  %v42 = mul i64 %v41, 31
  %v43 = xor i64 %v42, %v40
  store i64 %v43, ptr %sum
  %v44 = extractelement <2 x ptr addrspace(1)> %v34, i32 1
  %v45 = icmp eq ptr addrspace(1) %v44, null
  %v46 = select i1 %v45, ptr addrspace(1) %v6, ptr addrspace(1) %v44
  %v47 = getelementptr %node, ptr addrspace(1) %v46, i64 0, i32 1, i64 0
  %v48 = load i64, ptr addrspace(1) %v47
  %v49 = load i64, ptr %sum
  %v50 = mul i64 %v49, 31
  %v51 = xor i64 %v50, %v48
  store i64 %v51, ptr %sum
  %v52 = icmp slt i64 %v17, %v17
  %v53 = select i1 %v52, i64 %v17, i64 %v17
  %v54 = and i64 %v53, 3
  %v55 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v54, i32 1
  %v56 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v54, i32 0
  store i64 %v17, ptr %v55
  store i64 0, ptr %v56
  %v57 = getelementptr inbounds i8, ptr addrspace(1) %v6, i64 24
  %v58 = load i64, ptr addrspace(1) %v57
  %v59 = load i64, ptr %sum
  %v60 = mul i64 %v59, 31
  %v61 = xor i64 %v60, %v58
  store i64 %v61, ptr %sum
  %v62 = addrspacecast ptr addrspace(1) %v46 to ptr addrspace(3)
  %v63 = getelementptr i8, ptr addrspace(3) %v62, i64 24
  store i64 %v53, ptr addrspace(3) %v63
  %v64 = load i64, ptr addrspace(3) %v63
  %v65 = getelementptr i8, ptr addrspace(1) %v6, i64 8
  store ptr addrspace(1) %v46, ptr addrspace(1) %v65
  %v66 = getelementptr inbounds %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v67 = freeze ptr addrspace(1) %v66
  %v68 = call i64 @reenter(ptr addrspace(1) %v46, i64 533)
  %v69 = addrspacecast ptr addrspace(3) %v31 to ptr addrspace(1)
  %v70 = getelementptr i8, ptr addrspace(1) %v69, i64 24
  %v71 = load i64, ptr addrspace(1) %v70
  %v72 = load i64, ptr %sum
  %v73 = mul i64 %v72, 31
  %v74 = xor i64 %v73, %v71
  store i64 %v74, ptr %sum
  %v75 = load i64, ptr %sum
  %v76 = mul i64 %v75, 31
  %v77 = xor i64 %v76, %v17
  store i64 %v77, ptr %sum
  %v78 = load ptr addrspace(1), ptr addrspace(1) %v65
  %v79 = icmp eq ptr addrspace(1) %v78, null
  %v80 = select i1 %v79, ptr addrspace(1) %v6, ptr addrspace(1) %v78
  %v81 = getelementptr i8, ptr addrspace(1) %v80, i64 24
  %v82 = load i64, ptr addrspace(1) %v81
  %v83 = load i64, ptr %sum
  %v84 = mul i64 %v83, 31
  %v85 = xor i64 %v84, %v82
  store i64 %v85, ptr %sum
  %v86 = load i64, ptr %sum
  call void @note(i64 %v86)
  ret ptr addrspace(3) %v31
}

define internal fastcc ptr addrspace(3) @f1(ptr addrspace(1) %p0, ptr addrspace(3) %p1, <2 x ptr addrspace(3)> %p2, ptr addrspace(3) %p3, i64 %p4) nounwind noinline noredzone "smd-safepoints"="backedge" gc "coreclr" {
entry:
  %sum = alloca i64
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
  ret ptr addrspace(3) zeroinitializer
run:
  %v3 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %v3, ptr addrspace(1) align 8 %v3, i64 24, i1 false)
  %v5 = extractelement <2 x ptr addrspace(3)> %p2, i32 0
  %v6 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 0, i64 1
  %v7 = atomicrmw xchg ptr addrspace(1) %v6, ptr addrspace(1) %p0 seq_cst
  %v10 = load ptr addrspace(1), ptr addrspace(1) %p0
  %v12 = icmp eq ptr addrspace(1) %v7, null
  %v13 = select i1 %v12, ptr addrspace(1) %v10, ptr addrspace(1) %v7
  %v14 = getelementptr i8, ptr addrspace(1) %v13, i64 8
  %v16 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %v7, i32 0
  %v17 = insertelement <2 x ptr addrspace(1)> %v16, ptr addrspace(1) %v7, i32 1
  store <2 x ptr addrspace(1)> %v17, ptr addrspace(1) %v14, align 8
  %v18 = load i64, ptr addrspace(1) %v3
  %v19 = load i64, ptr %sum
  %v20 = mul i64 %v19, 31
  %v21 = xor i64 %v20, %v18
  store i64 %v21, ptr %sum
  %v22 = addrspacecast ptr addrspace(3) %v5 to ptr addrspace(1)
  %v23 = icmp eq ptr addrspace(1) %v22, null
  %v24 = select i1 %v23, ptr addrspace(1) %v10, ptr addrspace(1) %v22
  %v25 = getelementptr inbounds %node, ptr addrspace(1) %v24, i64 0, i32 1, i64 0
  %v26 = load i64, ptr addrspace(1) %v25
  %v27 = load i64, ptr %sum
  %v28 = mul i64 %v27, 31
  %v29 = xor i64 %v28, %v26
  store i64 %v29, ptr %sum
  %v30 = icmp eq ptr addrspace(1) %v7, null
  %v31 = select i1 %v30, ptr addrspace(1) %v10, ptr addrspace(1) %v7
  %v32 = getelementptr i8, ptr addrspace(1) %v31, i64 24
  %v33 = load i64, ptr addrspace(1) %v32
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %v33
  store i64 %v36, ptr %sum
  %v37 = load i64, ptr %sum
  call void @note(i64 %v37)
  ret ptr addrspace(3) %p1
}

define i64 @listed(ptr addrspace(1) dereferenceable(88) %p0, i64 %p1) nounwind noinline optnone "smd-safepoints"="entry,return,precall" gc "coreclr" {
entry:
  %sum = alloca i64
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
  %v4 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %p0, i32 0
  %v5 = insertelement <2 x ptr addrspace(1)> %v4, ptr addrspace(1) %p0, i32 1
  %v3 = getelementptr i8, <2 x ptr addrspace(1)> %v5, <2 x i64> <i64 40, i64 40>
  %v6 = extractelement <2 x ptr addrspace(1)> %v3, i32 1
  %v7 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %p0, i64 %p1)
  %v8 = extractvalue { i1, ptr addrspace(1) } %v7, 0
  %v9 = extractvalue { i1, ptr addrspace(1) } %v7, 1
  %v11 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %p0)
  %v12 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v11)
  %v10 = select i1 %v8, ptr addrspace(1) %v9, ptr addrspace(1) %p0
  %v14 = and i64 %p1, 3
  %v13 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v14
  store ptr addrspace(1) %v11, ptr %v13
  call void @collect()
  %v15 = load ptr addrspace(1), ptr %v13
  %v16 = getelementptr i8, ptr addrspace(1) %v11, i64 8
  store ptr addrspace(1) %v10, ptr addrspace(1) %v16
  %v17 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  %v18 = addrspacecast ptr addrspace(1) %v10 to ptr addrspace(3)
  %v19 = insertelement <2 x ptr addrspace(3)> poison, ptr addrspace(3) %v17, i32 0
  %v20 = insertelement <2 x ptr addrspace(3)> %v19, ptr addrspace(3) %v18, i32 1
  %v21 = select i1 %v8, <2 x ptr addrspace(3)> %v20, <2 x ptr addrspace(3)> %v20
  %v22 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v11) [ "deopt"(i32 20773, i32 48900, ptr addrspace(1) %v6, ptr addrspace(1) %v6, ptr addrspace(1) %v6, ptr addrspace(1) %v12) ]
  %v24 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v11, i32 0
  %v25 = insertelement <2 x ptr addrspace(1)> %v24, ptr addrspace(1) %v11, i32 1
  %v23 = getelementptr i8, <2 x ptr addrspace(1)> %v25, <2 x i64> <i64 72, i64 64>
  %v26 = select i1 %v8, <2 x ptr addrspace(1)> %v23, <2 x ptr addrspace(1)> %v23
  %v27 = getelementptr i8, ptr addrspace(1) %v22, i64 24
  %v28 = load i64, ptr addrspace(1) %v27
  %v29 = load i64, ptr %sum
  %v30 = mul i64 %v29, 31
  %v31 = xor i64 %v30, %v28
  store i64 %v31, ptr %sum
  %v32 = load i64, ptr %sum
  %v33 = mul i64 %v32, 31
  %v34 = xor i64 %v33, %p1
  store i64 %v34, ptr %sum
  %v35 = load ptr addrspace(1), ptr addrspace(1) %v16
  %v36 = icmp eq ptr addrspace(1) %v35, null
  %v37 = select i1 %v36, ptr addrspace(1) %p0, ptr addrspace(1) %v35
  %v38 = getelementptr i8, ptr addrspace(1) %v37, i64 24
  %v39 = load i64, ptr addrspace(1) %v38
  %v40 = load i64, ptr %sum
  %v41 = mul i64 %v40, 31
  %v42 = xor i64 %v41, %v39
  store i64 %v42, ptr %sum
  %v43 = load i64, ptr %sum
  ret i64 %v43
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) "frame-pointer"="all" "smd-safepoints"="backedge" gc "coreclr" {
entry:
  %sum = alloca i64
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %cells.small = alloca [4 x { ptr addrspace(3), i32 }]
  store [4 x { ptr addrspace(3), i32 }] zeroinitializer, ptr %cells.small
  store i64 3, ptr %sum
  %v0 = load i64, ptr @fuel
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run
dry:
  ret i64 41
run:
  %v3 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  call void @collect()
  call void @collect()
  %v4 = getelementptr i8, ptr addrspace(3) %v3, i64 64
  %v5 = load i64, ptr addrspace(3) %v4
  %v8 = mul i64 0, 31
  %v9 = add i64 %v8, %p1
  %v6 = call i64 @observe(i64 %v9) [ "deopt"(i32 20773, i32 1, i64 %p1) ]
  %v10 = getelementptr i8, ptr addrspace(1) %p0, i64 8
  %v12 = insertelement <2 x ptr addrspace(1)> poison, ptr addrspace(1) %p0, i32 0
  %v13 = insertelement <2 x ptr addrspace(1)> %v12, ptr addrspace(1) %p0, i32 1
  store <2 x ptr addrspace(1)> %v13, ptr addrspace(1) %v10, align 8
  %v14 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  call void @collect()
  call void @collect()
  %v15 = getelementptr i8, ptr addrspace(3) %v14, i64 8
  %v16 = atomicrmw xchg ptr addrspace(3) %v15, ptr addrspace(1) %p0 seq_cst
  %v18 = and i64 %p1, 3
  %v17 = getelementptr [4 x { ptr addrspace(3), i32 }], ptr %cells.small, i64 0, i64 %v18, i32 0
  store ptr addrspace(3) %v3, ptr %v17
  call void @collect()
  %v19 = load ptr addrspace(3), ptr %v17
  %v20 = icmp eq ptr addrspace(1) %v16, null
  %v21 = select i1 %v20, ptr addrspace(1) %p0, ptr addrspace(1) %v16
  %v23 = getelementptr %node, ptr addrspace(1) %v21, i64 0, i32 0, i64 1
  %v22 = load ptr addrspace(1), ptr addrspace(1) %v23
  %v24 = icmp eq ptr addrspace(1) %v16, null
  %v25 = select i1 %v24, ptr addrspace(1) %v21, ptr addrspace(1) %v16
  %v26 = getelementptr inbounds i8, ptr addrspace(1) %v25, i64 24
  %v27 = load i64, ptr addrspace(1) %v26
  %v28 = load i64, ptr %sum
  %v29 = mul i64 %v28, 31
  %v30 = xor i64 %v29, %v27
  store i64 %v30, ptr %sum
  %v31 = load ptr addrspace(1), ptr addrspace(1) %v21, !dereferenceable !1
  %v33 = extractelement <2 x ptr addrspace(1)> %v13, i32 0
  %v34 = getelementptr i8, ptr addrspace(1) %v33, i64 24
  %v35 = load i64, ptr addrspace(1) %v34
  %v36 = load i64, ptr %sum
  %v37 = mul i64 %v36, 31
  %v38 = xor i64 %v37, %v35
  store i64 %v38, ptr %sum
  %v39 = extractelement <2 x ptr addrspace(1)> %v13, i32 1
  %v40 = getelementptr inbounds %node, ptr addrspace(1) %v39, i64 0, i32 1, i64 0
  %v41 = load i64, ptr addrspace(1) %v40
  %v42 = load i64, ptr %sum
  %v43 = mul i64 %v42, 31
  %v44 = xor i64 %v43, %v41
  store i64 %v44, ptr %sum
  %v45 = load i64, ptr %sum
  %v46 = mul i64 %v45, 31
  %v47 = xor i64 %v46, %p1
  store i64 %v47, ptr %sum
  %v48 = getelementptr i8, ptr addrspace(1) %v25, i64 24
  %v49 = load i64, ptr addrspace(1) %v48
  %v50 = load i64, ptr %sum
  %v51 = mul i64 %v50, 31
  %v52 = xor i64 %v51, %v49
  store i64 %v52, ptr %sum
  %v53 = load i64, ptr %sum
  ret i64 %v53
}

define i64 @program(i64 %n) gc "coreclr" {
entry:
  %sum = alloca i64
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %cells.small = alloca [4 x { ptr addrspace(3), i32 }]
  store [4 x { ptr addrspace(3), i32 }] zeroinitializer, ptr %cells.small
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = tail call ptr addrspace(1) @allocate(i64 88, i64 3)
  %v1 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  store ptr addrspace(1) %first, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 18, ptr @fuel
  %v2 = addrspacecast ptr addrspace(1) %v0 to ptr addrspace(3)
  %v3 = insertelement <2 x ptr addrspace(3)> poison, ptr addrspace(3) %v2, i32 0
  %v4 = insertelement <2 x ptr addrspace(3)> %v3, ptr addrspace(3) %v2, i32 1
  %v5 = getelementptr i8, ptr addrspace(1) %first, i64 24
  %v6 = call fastcc ptr addrspace(3) @f0(ptr addrspace(1) %first, <2 x ptr addrspace(3)> %v4) [ "deopt"(i32 20773, i32 11011, ptr addrspace(1) %v5, ptr addrspace(1) %first, ptr addrspace(1) %v0) ]
  %v7 = addrspacecast ptr addrspace(3) %v6 to ptr addrspace(1)
  %v8 = icmp eq ptr addrspace(1) %v7, null
  %v9 = select i1 %v8, ptr addrspace(1) %v0, ptr addrspace(1) %v7
  %v10 = getelementptr inbounds i8, ptr addrspace(1) %v9, i64 24
  %v11 = load i64, ptr addrspace(1) %v10
  %v12 = load i64, ptr %sum
  %v13 = mul i64 %v12, 31
  %v14 = xor i64 %v13, %v11
  store i64 %v14, ptr %sum
  %v15 = addrspacecast ptr addrspace(1) %v9 to ptr addrspace(3)
  call void @collect()
  %v16 = getelementptr i8, ptr addrspace(3) %v15, i64 32
  %v17 = load i64, ptr addrspace(3) %v16
  %v18 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %v0, i32 0
  %v19 = insertelement <2 x ptr addrspace(1)> %v18, ptr addrspace(1) %v9, i32 1
  %v20 = insertelement <2 x ptr addrspace(1)> %v19, ptr addrspace(1) %v9, i32 1
  %v21 = load i64, ptr addrspace(1) %v5
  %v22 = load i64, ptr %sum
  %v23 = mul i64 %v22, 31
  %v24 = xor i64 %v23, %v21
  store i64 %v24, ptr %sum
  %v25 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v26 = load i64, ptr addrspace(1) %v25
  %v27 = load i64, ptr %sum
  %v28 = mul i64 %v27, 31
  %v29 = xor i64 %v28, %v26
  store i64 %v29, ptr %sum
  %v30 = extractelement <2 x ptr addrspace(3)> %v4, i32 0
  %v31 = addrspacecast ptr addrspace(3) %v30 to ptr addrspace(1)
  %v32 = getelementptr %node, ptr addrspace(1) %v31, i64 0, i32 1, i64 0
  %v33 = load i64, ptr addrspace(1) %v32
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %v33
  store i64 %v36, ptr %sum
  %v37 = extractelement <2 x ptr addrspace(3)> %v4, i32 1
  %v38 = addrspacecast ptr addrspace(3) %v37 to ptr addrspace(1)
  %v39 = getelementptr inbounds i8, ptr addrspace(1) %v38, i64 24
  %v40 = load i64, ptr addrspace(1) %v39
  %v41 = load i64, ptr %sum
  %v42 = mul i64 %v41, 31
  %v43 = xor i64 %v42, %v40
  store i64 %v43, ptr %sum
  store i64 16, ptr @fuel
  %v44 = call fastcc ptr addrspace(3) @f1(ptr addrspace(1) %v9, ptr addrspace(3) %v6, <2 x ptr addrspace(3)> %v4, ptr addrspace(3) %v15, i64 %n) [ "deopt"(i32 20773, i32 11011, ptr addrspace(1) %v5, ptr addrspace(1) %v9, ptr addrspace(1) %v9) ]
  %v45 = addrspacecast ptr addrspace(3) %v44 to ptr addrspace(1)
  %v46 = icmp eq ptr addrspace(1) %v45, null
  %v47 = select i1 %v46, ptr addrspace(1) %v9, ptr addrspace(1) %v45
  %v48 = getelementptr %node, ptr addrspace(1) %v47, i64 0, i32 1, i64 0
  %v49 = load i64, ptr addrspace(1) %v48
  %v50 = load i64, ptr %sum
  %v51 = mul i64 %v50, 31
  %v52 = xor i64 %v51, %v49
  store i64 %v52, ptr %sum
  %v53 = call i64 @reenter(ptr addrspace(1) %v47, i64 %v17) [ "deopt"(i32 20773, i32 45828, ptr addrspace(1) %v5, i64 %v17, ptr addrspace(1) %v5, ptr addrspace(1) %first) ]
  %v54 = icmp eq i64 %v53, %v53
  %v55 = select i1 %v54, ptr addrspace(3) %v44, ptr addrspace(3) %v2
  %v56 = getelementptr inbounds %node, ptr addrspace(1) %v47, i64 0, i32 1, i64 0
  %v57 = load i64, ptr addrspace(1) %v56
  %v58 = load i64, ptr %sum
  %v59 = mul i64 %v58, 31
  %v60 = xor i64 %v59, %v57
  store i64 %v60, ptr %sum
  %v61 = addrspacecast ptr addrspace(3) %v2 to ptr addrspace(1)
  %v62 = getelementptr inbounds %node, ptr addrspace(1) %v61, i64 0, i32 1, i64 0
  %v63 = load i64, ptr addrspace(1) %v62
  %v64 = load i64, ptr %sum
  %v65 = mul i64 %v64, 31
  %v66 = xor i64 %v65, %v63
  store i64 %v66, ptr %sum
  %v67 = addrspacecast ptr addrspace(3) %v55 to ptr addrspace(1)
  %v68 = icmp eq ptr addrspace(1) %v67, null
  %v69 = select i1 %v68, ptr addrspace(1) %v47, ptr addrspace(1) %v67
  %v70 = getelementptr inbounds %node, ptr addrspace(1) %v69, i64 0, i32 1, i64 0
  %v71 = load i64, ptr addrspace(1) %v70
  %v72 = load i64, ptr %sum
  %v73 = mul i64 %v72, 31
  %v74 = xor i64 %v73, %v71
  store i64 %v74, ptr %sum
  store i64 14, ptr @fuel
  %v75 = call i64 @listed(ptr addrspace(1) %v9, i64 %v53)
  %v76 = load i64, ptr %sum
  %v77 = mul i64 %v76, 31
  %v78 = xor i64 %v77, %v75
  store i64 %v78, ptr %sum
  %v80 = and i64 %v53, 7
  %v79 = call i64 @shake(ptr addrspace(1) %v47, i64 %v80)
  %v82 = and i64 %n, 3
  %v81 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v82
  %v83 = load ptr addrspace(1), ptr %v81
  store ptr addrspace(1) %v47, ptr %v81
  %v84 = getelementptr i8, ptr addrspace(1) %v47, i64 24
  %v85 = load i64, ptr addrspace(1) %v84
  %v86 = load i64, ptr %sum
  %v87 = mul i64 %v86, 31
  %v88 = xor i64 %v87, %v85
  store i64 %v88, ptr %sum
  %v89 = load i64, ptr %sum
  %v90 = mul i64 %v89, 31
  %v91 = xor i64 %v90, %v17
  store i64 %v91, ptr %sum
  %v92 = load i64, ptr %sum
  %v93 = mul i64 %v92, 31
  %v94 = xor i64 %v93, %v79
  store i64 %v94, ptr %sum
  store i64 5, ptr @fuel
  %v95 = call i64 @reentered(ptr addrspace(1) %v9, i64 %v17)
  %v96 = load i64, ptr %sum
  %v97 = mul i64 %v96, 31
  %v98 = xor i64 %v97, %v95
  store i64 %v98, ptr %sum
  %v99 = call i64 @reenter(ptr addrspace(1) %first, i64 %v95) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %v47, ptr addrspace(1) %v9) ]
  %v100 = load i64, ptr %sum
  %v101 = mul i64 %v100, 31
  %v102 = xor i64 %v101, %v17
  store i64 %v102, ptr %sum
  %v103 = load i64, ptr %sum
  %v104 = mul i64 %v103, 31
  %v105 = xor i64 %v104, %n
  store i64 %v105, ptr %sum
  %v106 = zext i1 %v54 to i64
  %v107 = load i64, ptr %sum
  %v108 = mul i64 %v107, 31
  %v109 = xor i64 %v108, %v106
  store i64 %v109, ptr %sum
  %v110 = addrspacecast ptr addrspace(3) %v15 to ptr addrspace(1)
  %v111 = getelementptr inbounds %node, ptr addrspace(1) %v110, i64 0, i32 1, i64 0
  %v112 = load i64, ptr addrspace(1) %v111
  %v113 = load i64, ptr %sum
  %v114 = mul i64 %v113, 31
  %v115 = xor i64 %v114, %v112
  store i64 %v115, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v47)
  call void @keep(i64 1, ptr addrspace(1) %v47)
  %v116 = load i64, ptr %sum
  ret i64 %v116
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
