; random: poll=flag:poll_flag:collect opt=3 target=x86_64-linux-gnu
; load: signal 6 (Aborted)
; seed 5047
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
@code = global [4 x ptr] [ptr @f0, ptr @f1, ptr @listed, ptr @reentered], align 16
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

define internal ptr addrspace(1) @inlined(ptr addrspace(1) %o, i64 %n) gc "coreclr" {
  %slot = getelementptr i8, ptr addrspace(1) %o, i64 16
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %o, ptr addrspace(1) %slot)
  call void @collect() [ "gc-type"(ptr addrspace(1) %o, i64 3) ]
  %r = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %slot)
  %next = call ptr addrspace(1) @make(i64 %n, ptr addrspace(1) %r)
  %first = getelementptr i8, ptr addrspace(1) %next, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %o, ptr addrspace(1) %next, ptr addrspace(1) %first)
  ret ptr addrspace(1) %next
}

define internal ptr addrspace(1) @turns(ptr addrspace(1) %o, i64 %n) gc "coreclr" {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %j, %turn ]
  %at = phi ptr addrspace(1) [ %o, %entry ], [ %to, %turn ]
  %to = call ptr addrspace(1) @inlined(ptr addrspace(1) %at, i64 %i)
  %j = add i64 %i, 1
  %over = icmp eq i64 %j, 5
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

define internal { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %env, ptr %code) noinline gc "coreclr" {
  %a = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %env, 0
  %b = insertvalue { ptr addrspace(1), ptr } %a, ptr %code, 1
  call void @collect()
  ret { ptr addrspace(1), ptr } %b
}

define internal { ptr addrspace(1), ptr } @f0(ptr addrspace(1) %p0, { ptr addrspace(1), ptr } %p1, { ptr addrspace(1), ptr } %p2) gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
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
  %v3 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v6 = icmp sge i64 73, 404
  %v4 = getelementptr ptr, ptr %v3, i64 1
  %v7 = load ptr, ptr %v4
  %v5 = select i1 %v6, ptr %v7, ptr @reentered
  %v9 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %p0, ptr %v5)
  ret { ptr addrspace(1), ptr } %v9
run:
  %v12 = icmp eq ptr addrspace(1) %p0, null
  %v13 = select i1 %v12, ptr addrspace(1) %p0, ptr addrspace(1) %p0
  %v15 = getelementptr i8, ptr addrspace(1) %v13, i64 24
  %v14 = load i64, ptr addrspace(1) %v15
  %v11 = select i1 %v12, i64 1, i64 %v14
  %v16 = mul i64 0, 31
  %v17 = add i64 %v16, %v11
  %v10 = call i64 @observe(i64 %v17) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %p0) ]
  %v18 = load ptr addrspace(1), ptr addrspace(1) %p0
  call void @collect() [ "gc-live"(ptr addrspace(1) %v18, ptr addrspace(1) %v18) ]
  call void @collect() [ "gc-live"(ptr addrspace(1) %v18, ptr addrspace(1) %v18) ]
  %v20 = extractvalue { ptr addrspace(1), ptr } %p1, 0
  %v21 = extractvalue { ptr addrspace(1), ptr } %p1, 1
  %v22 = call i64 %v21(ptr addrspace(1) %v20, i64 %v10) [ "deopt"(i32 20773, i32 40964, i64 %v10, i64 %v10, ptr addrspace(1) %v18, ptr addrspace(1) %v18) ]
  %v23 = getelementptr i8, ptr addrspace(1) %v18, i64 48
  store i64 %v22, ptr addrspace(1) %v23
  %v24 = call i64 @reentered(ptr addrspace(1) %v18, i64 %v22)
  %v25 = icmp ugt i64 %v10, %v10
  %v28 = trunc i64 536 to i32
  %v26 = insertelement <4 x i32> zeroinitializer, i32 %v28, i32 1
  %v27 = add <4 x i32> %v26, <i32 1, i32 2, i32 3, i32 45>
  %v29 = select i1 %v25, <4 x i32> %v27, <4 x i32> %v27
  %v30 = load i64, ptr %sum
  %v31 = mul i64 %v30, 31
  %v32 = xor i64 %v31, %v24
  store i64 %v32, ptr %sum
  %v33 = zext i1 %v25 to i64
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %v33
  store i64 %v36, ptr %sum
  %v37 = extractvalue { ptr addrspace(1), ptr } %p1, 0
  %v38 = icmp eq ptr addrspace(1) %v37, null
  %v39 = select i1 %v38, ptr addrspace(1) %p0, ptr addrspace(1) %v37
  %v40 = getelementptr %node, ptr addrspace(1) %v39, i64 0, i32 1, i64 0
  %v41 = load i64, ptr addrspace(1) %v40
  %v42 = load i64, ptr %sum
  %v43 = mul i64 %v42, 31
  %v44 = xor i64 %v43, %v41
  store i64 %v44, ptr %sum
  %v45 = load i64, ptr %sum
  call void @note(i64 %v45)
  call void @throw_value(ptr addrspace(1) %v18)
  unreachable
}

define i64 @f1(ptr addrspace(1) %p0, { ptr addrspace(1), ptr } %p1, <4 x i32> %p2, i32 %p3, { ptr addrspace(1), ptr } %p4) noinline gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
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
  %v3 = add i32 %p3, %p3
  %v4 = sext i32 %v3 to i64
  %v5 = call ptr addrspace(1) @crowded(i64 %v4, i64 1, i64 %v4, i64 3, i64 4, i64 5, i64 6, i64 7, ptr addrspace(1) %p0)
  %v6 = call ptr addrspace(1) @turns(ptr addrspace(1) %v5, i64 %v4) [ "deopt"(i32 20773, i32 42500, ptr addrspace(1) %v5, i32 %p3, ptr addrspace(1) %v5, ptr addrspace(1) %p0) ]
  %v9 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v10 = load <2 x ptr>, ptr %v9, align 8
  %v11 = extractelement <2 x ptr> %v10, i32 1
  %v13 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %v5, ptr %v11)
  %v7 = extractvalue { ptr addrspace(1), ptr } %v13, 0
  %v8 = extractvalue { ptr addrspace(1), ptr } %v13, 1
  %v17 = invoke i64 %v8(ptr addrspace(1) %v7, i64 %v4) [ "deopt"(i32 20773, i32 8707, ptr addrspace(1) %v5, i64 %v4, ptr addrspace(1) %v6), "gc-transition"(ptr @thread_state) ] to label %b14 unwind label %b15
b14:
  %v18 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v19 = getelementptr i8, ptr addrspace(1) %p0, i64 88
  br label %b20
b20:
  %v22 = phi ptr addrspace(1) [ %v5, %b14 ], [ %v5, %b32 ]
  %v23 = phi ptr addrspace(1) [ %v18, %b14 ], [ %v24, %b32 ]
  %v25 = icmp eq ptr addrspace(1) %v23, %v19
  br i1 %v25, label %b21, label %b26
b26:
  %v27 = load i64, ptr addrspace(1) %v23
  %v28 = load i64, ptr %sum
  %v29 = mul i64 %v28, 31
  %v30 = xor i64 %v29, %v27
  store i64 %v30, ptr %sum
  br label %b31
b31:
  %v33 = load i64, ptr @fuel
  %v34 = sub i64 %v33, 1
  store i64 %v34, ptr @fuel
  %v35 = icmp slt i64 %v33, 1
  br i1 %v35, label %b32, label %b36
b36:
  %v37 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v38 = load [2 x ptr], ptr %v37
  %v39 = extractvalue [2 x ptr] %v38, 0
  %v40 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %v22, 0
  %v41 = insertvalue { ptr addrspace(1), ptr } %v40, ptr %v39, 1
  %v42 = call { ptr addrspace(1), ptr } @f0(ptr addrspace(1) %p0, { ptr addrspace(1), ptr } %v41, { ptr addrspace(1), ptr } %v41) [ "deopt"(i32 20773, i32 2052, i64 %v17, ptr addrspace(1) %v5, i64 %v17, i64 %v17) ]
  %v45 = icmp eq ptr addrspace(1) %v5, null
  %v46 = select i1 %v45, ptr addrspace(1) %v5, ptr addrspace(1) %v5
  %v48 = getelementptr i8, ptr addrspace(1) %v46, i64 24
  %v47 = load i64, ptr addrspace(1) %v48
  %v44 = select i1 %v45, i64 1, i64 %v47
  %v49 = mul i64 0, 31
  %v50 = add i64 %v49, %v44
  %v51 = zext i32 %p3 to i64
  %v52 = mul i64 %v50, 31
  %v53 = add i64 %v52, %v51
  %v43 = call i64 @observe(i64 %v53) [ "deopt"(i32 20773, i32 1538, ptr addrspace(1) %v5, i32 %p3) ]
  %v54 = getelementptr %node, ptr addrspace(1) %v5, i64 0, i32 0, i64 2
  store ptr addrspace(1) %v6, ptr addrspace(1) %v54
  br label %b31
b32:
  %v24 = getelementptr i8, ptr addrspace(1) %v23, i64 8
  br label %b20
b21:
  %v55 = load ptr addrspace(1), ptr addrspace(1) %v5
  call void @collect() [ "gc-type"(ptr addrspace(1) %v55, i64 5) ]
  %v56 = extractvalue { ptr addrspace(1), ptr } %p1, 0
  %v57 = extractvalue { ptr addrspace(1), ptr } %p1, 1
  %v61 = invoke i64 %v57(ptr addrspace(1) %v56, i64 %v4) to label %b58 unwind label %b59
b58:
  call void @note(i64 %v4)
  %v62 = shufflevector <4 x i32> %p2, <4 x i32> %p2, <4 x i32> <i32 0, i32 5, i32 2, i32 1>
  br label %b60
b59:
  %v63 = landingpad token cleanup
  %v64 = call ptr addrspace(1) @caught()
  call void @note(i64 551)
  %v65 = extractvalue { ptr addrspace(1), ptr } %p4, 0
  %v66 = icmp eq ptr addrspace(1) %v65, null
  %v67 = select i1 %v66, ptr addrspace(1) %v5, ptr addrspace(1) %v65
  %v68 = getelementptr i8, ptr addrspace(1) %v67, i64 24
  %v69 = load i64, ptr addrspace(1) %v68
  %v70 = load i64, ptr %sum
  %v71 = mul i64 %v70, 31
  %v72 = xor i64 %v71, %v69
  store i64 %v72, ptr %sum
  %v74 = and i64 %v4, 3
  %v73 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v74
  %v75 = load ptr addrspace(1), ptr %v73
  store ptr addrspace(1) %v22, ptr %v73
  br label %b60
b60:
  %v76 = phi { ptr addrspace(1), ptr } [ %v13, %b58 ], [ %p1, %b59 ]
  br label %b16
b15:
  %v77 = landingpad token cleanup
  %v78 = call ptr addrspace(1) @caught()
  %v81 = icmp eq ptr addrspace(1) %p0, null
  %v82 = select i1 %v81, ptr addrspace(1) %v5, ptr addrspace(1) %p0
  %v84 = getelementptr i8, ptr addrspace(1) %v82, i64 24
  %v83 = load i64, ptr addrspace(1) %v84
  %v80 = select i1 %v81, i64 1, i64 %v83
  %v85 = mul i64 0, 31
  %v86 = add i64 %v85, %v80
  %v88 = icmp eq ptr addrspace(1) %v5, null
  %v89 = select i1 %v88, ptr addrspace(1) %v78, ptr addrspace(1) %v5
  %v91 = getelementptr i8, ptr addrspace(1) %v89, i64 24
  %v90 = load i64, ptr addrspace(1) %v91
  %v87 = select i1 %v88, i64 1, i64 %v90
  %v92 = mul i64 %v86, 31
  %v93 = add i64 %v92, %v87
  %v95 = mul i64 %v93, 31
  %v96 = add i64 %v95, %v4
  %v98 = icmp eq ptr addrspace(1) %v6, null
  %v99 = select i1 %v98, ptr addrspace(1) %v78, ptr addrspace(1) %v6
  %v101 = getelementptr i8, ptr addrspace(1) %v99, i64 24
  %v100 = load i64, ptr addrspace(1) %v101
  %v97 = select i1 %v98, i64 1, i64 %v100
  %v102 = mul i64 %v96, 31
  %v103 = add i64 %v102, %v97
  %v79 = call i64 @observe(i64 %v103) [ "deopt"(i32 20773, i32 35332, ptr addrspace(1) %p0, ptr addrspace(1) %v5, i64 %v4, ptr addrspace(1) %v6) ]
  %v104 = call i64 @reentered(ptr addrspace(1) %v78, i64 %v4) [ "deopt"(i32 20773, i32 1540, ptr addrspace(1) %v5, i32 %p3, i64 %v4, i64 %v79) ]
  %v105 = icmp eq ptr addrspace(1) %v5, %v6
  call void @collect() [ "deopt"(i32 20773, i32 172549, ptr addrspace(1) %v78, i64 %v4, ptr addrspace(1) %v5, ptr addrspace(1) %v5, ptr addrspace(1) %p0) ]
  %v106 = trunc i64 %v79 to i32
  %v107 = call ptr addrspace(1) @inlined(ptr addrspace(1) %v5, i64 %v4) [ "deopt"(i32 20773, i32 257, i32 %v106) ]
  br label %b16
b16:
  %v108 = phi ptr addrspace(1) [ %v22, %b60 ], [ %v107, %b15 ]
  store ptr addrspace(1) %v5, ptr addrspace(1) %v5
  %v110 = extractvalue { ptr addrspace(1), ptr } %v13, 0
  %v111 = getelementptr i8, ptr addrspace(1) %v110, i64 24
  %v112 = load i64, ptr addrspace(1) %v111
  %v113 = load i64, ptr %sum
  %v114 = mul i64 %v113, 31
  %v115 = xor i64 %v114, %v112
  store i64 %v115, ptr %sum
  %v116 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v117 = load i64, ptr addrspace(1) %v116
  %v118 = load i64, ptr %sum
  %v119 = mul i64 %v118, 31
  %v120 = xor i64 %v119, %v117
  store i64 %v120, ptr %sum
  %v121 = load i64, ptr %sum
  %v122 = mul i64 %v121, 31
  %v123 = xor i64 %v122, %v4
  store i64 %v123, ptr %sum
  %v124 = load i64, ptr %sum
  call void @note(i64 %v124)
  call void @throw_value(ptr addrspace(1) %v5)
  unreachable
}

define i64 @listed(ptr addrspace(1) %p0, i64 %p1) gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
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
  %v3 = xor i64 9223372036854775807, 108
  call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 971, i32 0, ptr elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0)
  %v6 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 0, i64 1
  %v7 = atomicrmw xchg ptr addrspace(1) %v6, ptr addrspace(1) %p0 seq_cst
  %v11 = trunc i64 %p1 to i32
  %v10 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 26884, i32 %v11, ptr addrspace(1) %v7, ptr addrspace(1) %v7, i32 %v11) ]
  %v14 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v15 = load [2 x ptr], ptr %v14
  %v16 = extractvalue [2 x ptr] %v15, 1
  %v17 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v10, 0
  %v18 = insertvalue { ptr addrspace(1), ptr } %v17, ptr %v16, 1
  %v12 = extractvalue { ptr addrspace(1), ptr } %v18, 0
  %v13 = extractvalue { ptr addrspace(1), ptr } %v18, 1
  %v22 = invoke i64 %v13(ptr addrspace(1) %v12, i64 %p1) to label %b19 unwind label %b20
b19:
  %v23 = getelementptr [4 x ptr], ptr @code, i64 0, i64 0
  %v26 = icmp slt i64 305, %v22
  %v24 = getelementptr ptr, ptr %v23, i64 0
  %v27 = load ptr, ptr %v24
  %v25 = select i1 %v26, ptr %v27, ptr @f0
  %v28 = call { ptr addrspace(1), ptr } %v25(ptr addrspace(1) %v10, { ptr addrspace(1), ptr } %v18, { ptr addrspace(1), ptr } %v18) [ "deopt"(i32 20773, i32 2563, ptr addrspace(1) %p0, ptr addrspace(1) %v10, i64 %v22) ]
  %v29 = icmp sge i64 %v3, %v22
  br i1 %v29, label %b31, label %b33, !prof !2
b31:
  %v34 = extractvalue { ptr addrspace(1), ptr } %v28, 0
  %v35 = extractvalue { ptr addrspace(1), ptr } %v28, 1
  %v36 = call i64 %v35(ptr addrspace(1) %v34, i64 %v22)
  %v42 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v45 = icmp ugt i64 10, %p1
  %v43 = getelementptr ptr, ptr %v42, i64 0
  %v46 = load ptr, ptr %v43
  %v44 = select i1 %v45, ptr %v46, ptr @listed
  %v47 = trunc i64 %v36 to i32
  %v41 = invoke i64 %v44(ptr addrspace(1) %p0, i64 146) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %p0) ] to label %b37 unwind label %b39
b37:
  %v48 = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(ptr addrspace(1) (i64, i64)) @allocate, i32 2, i32 0, i64 88, i64 3, i32 0, i32 0)
  %v49 = call ptr addrspace(1) @llvm.experimental.gc.result.p1(token %v48)
  %v50 = getelementptr i8, ptr addrspace(1) %v49, i64 24
  store ptr addrspace(1) %p0, ptr addrspace(1) %v49
  store i64 %v41, ptr addrspace(1) %v50
  %v51 = and i64 %v36, 3
  %v52 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v51, i32 0
  %v53 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v51, i32 1
  br label %b65
b65:
  %v58 = phi i64 [ 0, %b37 ], [ %v59, %b68 ]
  %v62 = phi i64 [ 0, %b37 ], [ %v61, %b68 ]
  %v54 = load i64, ptr %v52
  %v55 = icmp eq i64 %v54, 1
  br i1 %v55, label %b66, label %b67
b66:
  %v56 = load ptr addrspace(1), ptr %v53
  call void @collect()
  %v64 = getelementptr i8, ptr addrspace(1) %v56, i64 24
  %v63 = load i64, ptr addrspace(1) %v64
  br label %b68
b67:
  %v57 = load i64, ptr %v53
  br label %b68
b68:
  %v70 = phi i64 [ %v63, %b66 ], [ %v57, %b67 ]
  %v61 = add i64 %v62, %v70
  %v59 = add i64 %v58, 1
  %v60 = icmp uge i64 %v59, 3
  br i1 %v60, label %b69, label %b65
b69:
  %v72 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v73 = load [2 x ptr], ptr %v72
  %v74 = extractvalue [2 x ptr] %v73, 0
  %v75 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %p0, 0
  %v76 = insertvalue { ptr addrspace(1), ptr } %v75, ptr %v74, 1
  %v71 = invoke { ptr addrspace(1), ptr } @f0(ptr addrspace(1) %p0, { ptr addrspace(1), ptr } %v18, { ptr addrspace(1), ptr } %v76) [ "deopt"(i32 20773, i32 10243, i64 %v36, ptr addrspace(1) %p0, ptr addrspace(1) %p0) ] to label %b38 unwind label %b39
b38:
  br label %b40
b39:
  %v77 = phi i32 [ %v47, %b31 ], [ %v47, %b69 ]
  %v78 = landingpad token cleanup
  %v79 = call ptr addrspace(1) @caught()
  %v80 = alloca [4 x i64], align 32
  call void @llvm.memset.p0.i64(ptr %v80, i8 62, i64 32, i1 false)
  store i64 %v36, ptr %v80
  %v81 = getelementptr %node, ptr addrspace(1) %v79, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v79, ptr addrspace(1) %v81
  %v82 = extractvalue { ptr addrspace(1), ptr } %v18, 0
  %v83 = extractvalue { ptr addrspace(1), ptr } %v18, 1
  %v84 = musttail call i64 %v83(ptr addrspace(1) %v82, i64 %v22)
  ret i64 %v84
b40:
  %v85 = call ptr addrspace(1) @allocate(i64 96, i64 3)
  %v86 = getelementptr i8, ptr addrspace(1) %v85, i64 24
  store ptr addrspace(1) %p0, ptr addrspace(1) %v85
  store i64 642, ptr addrspace(1) %v86
  %v87 = trunc i64 %v22 to i32
  br label %b33
b33:
  %v88 = phi i32 [ %v11, %b19 ], [ %v87, %b40 ]
  %v89 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v90 = getelementptr ptr, ptr %v89, i64 0
  %v92 = load ptr, ptr %v90
  %v91 = select i1 %v29, ptr %v92, ptr @listed
  %v94 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %v10, ptr %v91)
  store { ptr addrspace(1), ptr } %v94, ptr %closure
  call void @collect()
  %v95 = load { ptr addrspace(1), ptr }, ptr %closure
  br label %b21
b20:
  %v96 = landingpad token cleanup
  %v97 = call ptr addrspace(1) @caught()
  %v98 = icmp eq i64 %p1, %p1
  %v99 = insertelement <4 x i32> zeroinitializer, i32 %v11, i32 2
  %v100 = add <4 x i32> %v99, <i32 1, i32 2, i32 3, i32 89>
  %v101 = select i1 %v98, <4 x i32> %v100, <4 x i32> %v100
  br label %b102
b102:
  %v104 = load i64, ptr @fuel
  %v105 = sub i64 %v104, 1
  store i64 %v105, ptr @fuel
  %v106 = icmp slt i64 %v104, 1
  br i1 %v106, label %b103, label %b107
b107:
  %v112 = invoke i64 @f1(ptr addrspace(1) %p0, { ptr addrspace(1), ptr } %v18, <4 x i32> %v100, i32 %v11, { ptr addrspace(1), ptr } %v18) [ "deopt"(i32 20773, i32 43525, ptr addrspace(1) %p0, ptr addrspace(1) %v97, ptr addrspace(1) null, ptr addrspace(1) %v7, i64 %p1) ] to label %b108 unwind label %b110
b108:
  %v113 = call i64 @listed(ptr addrspace(1) %p0, i64 %v112)
  %v115 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 0, i64 1
  %v114 = load ptr addrspace(1), ptr addrspace(1) %v115
  %v117 = trunc i64 %v112 to i32
  %v116 = invoke i64 @reentered(ptr addrspace(1) %p0, i64 609) [ "deopt"(i32 20773, i32 258, i32 %v117, i64 %p1) ] to label %b109 unwind label %b110
b109:
  br label %b111
b110:
  %v118 = phi <4 x i32> [ %v100, %b107 ], [ %v100, %b108 ]
  %v119 = landingpad token cleanup
  %v120 = call ptr addrspace(1) @caught()
  %v122 = getelementptr i8, ptr addrspace(1) %v10, i64 80
  %v121 = load i64, ptr addrspace(1) %v122
  br label %b111
b111:
  br label %b102
b103:
  %v124 = and i64 %p1, 7
  %v125 = add i64 %v124, 1
  %v123 = alloca i64, i64 %v125, align 8
  store i64 %p1, ptr %v123
  %v126 = load i64, ptr %sum
  call void @note(i64 %v126)
  call void @throw_value(ptr addrspace(1) %p0)
  unreachable
b21:
  %v127 = phi { ptr addrspace(1), ptr } [ %v18, %b33 ]
  %v128 = zext i32 %v11 to i64
  %v129 = load i64, ptr %sum
  %v130 = mul i64 %v129, 31
  %v131 = xor i64 %v130, %v128
  store i64 %v131, ptr %sum
  %v132 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v133 = load i64, ptr addrspace(1) %v132
  %v134 = load i64, ptr %sum
  %v135 = mul i64 %v134, 31
  %v136 = xor i64 %v135, %v133
  store i64 %v136, ptr %sum
  %v137 = zext i32 %v11 to i64
  %v138 = load i64, ptr %sum
  %v139 = mul i64 %v138, 31
  %v140 = xor i64 %v139, %v137
  store i64 %v140, ptr %sum
  %v141 = extractvalue { ptr addrspace(1), ptr } %v18, 0
  %v142 = extractvalue { ptr addrspace(1), ptr } %v18, 1
  %v143 = musttail call i64 %v142(ptr addrspace(1) %v141, i64 %p1)
  ret i64 %v143
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) noinline gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
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
  %v3 = and i64 %p1, 3
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
  %v12 = icmp uge i64 %v11, 2
  br i1 %v12, label %b21, label %b17
b21:
  %v26 = invoke ptr addrspace(1) @turns(ptr addrspace(1) %p0, i64 %v13) to label %b23 unwind label %b24
b23:
  %v27 = call ptr addrspace(1) @make(i64 934, ptr addrspace(1) %p0)
  br label %b25
b24:
  %v28 = landingpad token cleanup
  %v29 = call ptr addrspace(1) @caught()
  %v31 = and i64 %v13, 7
  %v32 = add i64 %v31, 1
  %v30 = alloca i64, i64 %v32, align 8
  store i64 %v13, ptr %v30
  %v37 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v38 = load <2 x ptr>, ptr %v37, align 8
  %v39 = extractelement <2 x ptr> %v38, i32 0
  %v40 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %p0, 0
  %v41 = insertvalue { ptr addrspace(1), ptr } %v40, ptr %v39, 1
  %v44 = trunc i64 160 to i32
  %v42 = insertelement <4 x i32> zeroinitializer, i32 %v44, i32 0
  %v43 = add <4 x i32> %v42, <i32 1, i32 2, i32 3, i32 76>
  %v36 = invoke i64 @f1(ptr addrspace(1) %p0, { ptr addrspace(1), ptr } %v41, <4 x i32> %v43, i32 %v44, { ptr addrspace(1), ptr } %v41) to label %b33 unwind label %b34
b33:
  br label %b45
b45:
  %v47 = phi i64 [ 0, %b33 ], [ %v48, %b69 ]
  %v49 = icmp sge i64 %v47, 4
  br i1 %v49, label %b46, label %b50
b50:
  %v51 = and i64 %v36, 3
  %v52 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v51, i32 0
  %v53 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v51, i32 1
  br label %b65
b65:
  %v58 = phi i64 [ 0, %b50 ], [ %v59, %b68 ]
  %v62 = phi i64 [ 0, %b50 ], [ %v61, %b68 ]
  %v54 = load i64, ptr %v52
  %v55 = icmp eq i64 %v54, 1
  br i1 %v55, label %b66, label %b67
b66:
  %v56 = load ptr addrspace(1), ptr %v53
  %v64 = getelementptr i8, ptr addrspace(1) %v56, i64 24
  %v63 = load i64, ptr addrspace(1) %v64
  br label %b68
b67:
  %v57 = load i64, ptr %v53
  br label %b68
b68:
  %v70 = phi i64 [ %v63, %b66 ], [ %v57, %b67 ]
  %v61 = add i64 %v62, %v70
  %v59 = add i64 %v58, 1
  %v60 = icmp uge i64 %v59, 4
  br i1 %v60, label %b69, label %b65
b69:
  %v48 = add nsw i64 %v47, 1
  br label %b45
b46:
  %v71 = phi i32 [ %v44, %b45 ]
  br label %b35
b34:
  %v72 = landingpad token cleanup
  %v73 = call ptr addrspace(1) @caught()
  %v74 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %v29, i64 %p1)
  %v75 = extractvalue { i1, ptr addrspace(1) } %v74, 0
  %v76 = extractvalue { i1, ptr addrspace(1) } %v74, 1
  %v78 = call ptr addrspace(1) @make(i64 -1, ptr addrspace(1) %v73)
  %v77 = select i1 %v75, ptr addrspace(1) %v76, ptr addrspace(1) %v29
  %v82 = invoke i64 @f1(ptr addrspace(1) %p0, { ptr addrspace(1), ptr } %v41, <4 x i32> %v43, i32 %v44, { ptr addrspace(1), ptr } %v41) to label %b79 unwind label %b80
b79:
  %v83 = icmp eq ptr addrspace(1) %v73, %v73
  br label %b81
b80:
  %v84 = landingpad token cleanup
  %v85 = call ptr addrspace(1) @caught()
  %v87 = and i64 %v13, 1
  %v88 = getelementptr [2 x ptr], ptr @table, i64 0, i64 %v87
  %v89 = load ptr, ptr %v88
  %v86 = call i64 %v89(ptr addrspace(1) %v73, i64 %v13) [ "deopt"(i32 20773, i32 41476, ptr addrspace(1) %p0, i64 %p1, ptr addrspace(1) %v78, ptr addrspace(1) %v78) ]
  %v90 = icmp eq i64 %p1, %v86
  %v91 = select i1 %v90, i64 %p1, i64 %v86
  %v92 = add i64 912, %v86
  br label %b81
b81:
  %v93 = phi { ptr addrspace(1), ptr } [ %v41, %b79 ], [ %v41, %b80 ]
  %v94 = call i64 @reentered(ptr addrspace(1) %v73, i64 %p1)
  br label %b35
b35:
  %v95 = phi i64 [ %v36, %b46 ], [ %v94, %b81 ]
  %v96 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %p0)
  %v97 = icmp ult i64 %p1, %p1
  br i1 %v97, label %b99, label %b101, !prof !2
b99:
  %v102 = sitofp i32 %v44 to double
  %v103 = call double @llvm.fabs.f64(double %v102)
  %v104 = extractvalue { ptr addrspace(1), ptr } %v41, 0
  %v105 = extractvalue { ptr addrspace(1), ptr } %v41, 1
  %v109 = invoke i64 %v105(ptr addrspace(1) %v104, i64 %p1) [ "deopt"(i32 20773, i32 26884, i32 %v44, ptr addrspace(1) %v96, ptr addrspace(1) null, i32 %v44) ] to label %b106 unwind label %b107
b106:
  %v110 = call i64 @touch(ptr %v30, i64 1, i64 8)
  %v111 = getelementptr %node, ptr addrspace(1) %v96, i64 0, i32 1, i64 0
  %v112 = load <4 x i32>, ptr addrspace(1) %v111, align 8
  %v113 = and i64 %v95, 3
  %v114 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v113, i32 1
  %v115 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v113, i32 0
  store i64 %v95, ptr %v114
  store i64 0, ptr %v115
  br label %b108
b107:
  %v116 = landingpad token cleanup
  %v117 = call ptr addrspace(1) @caught()
  %v118 = icmp eq i64 41, %v95
  %v119 = select i1 %v118, i64 41, i64 %v95
  %v120 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %v96, i64 %v95)
  %v121 = extractvalue { i1, ptr addrspace(1) } %v120, 0
  %v122 = extractvalue { i1, ptr addrspace(1) } %v120, 1
  %v124 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v117)
  %v123 = select i1 %v121, ptr addrspace(1) %v122, ptr addrspace(1) %v96
  %v126 = getelementptr i8, ptr addrspace(1) %v96, i64 80
  %v125 = load i64, ptr addrspace(1) %v126
  %v128 = load i64, ptr %sum
  call void @note(i64 %v128)
  %v130 = icmp eq ptr addrspace(1) %v123, null
  %v131 = select i1 %v130, ptr addrspace(1) %v96, ptr addrspace(1) %v123
  %v133 = getelementptr i8, ptr addrspace(1) %v131, i64 24
  %v132 = load i64, ptr addrspace(1) %v133
  %v129 = select i1 %v130, i64 1, i64 %v132
  %v134 = mul i64 0, 31
  %v135 = add i64 %v134, %v129
  %v137 = icmp eq ptr addrspace(1) %v96, null
  %v138 = select i1 %v137, ptr addrspace(1) %v29, ptr addrspace(1) %v96
  %v140 = getelementptr i8, ptr addrspace(1) %v138, i64 24
  %v139 = load i64, ptr addrspace(1) %v140
  %v136 = select i1 %v137, i64 1, i64 %v139
  %v141 = mul i64 %v135, 31
  %v142 = add i64 %v141, %v136
  %v143 = zext i32 %v44 to i64
  %v144 = mul i64 %v142, 31
  %v145 = add i64 %v144, %v143
  %v146 = zext i32 %v44 to i64
  %v147 = mul i64 %v145, 31
  %v148 = add i64 %v147, %v146
  %v127 = call i64 (...) @llvm.experimental.deoptimize.i64(i64 %v148, ptr addrspace(1) %v124) [ "deopt"(i32 20773, i32 23044, ptr addrspace(1) %v123, ptr addrspace(1) %v96, i32 %v44, i32 %v44) ]
  ret i64 %v127
b108:
  %v149 = phi ptr addrspace(1) [ %v96, %b106 ]
  br label %b101
b101:
  %v150 = load ptr addrspace(1), ptr addrspace(1) %p0
  call void @collect() [ "gc-type"(ptr addrspace(1) %v150, i64 0) ]
  %v151 = call { ptr addrspace(1), ptr } @f0(ptr addrspace(1) %v150, { ptr addrspace(1), ptr } %v41, { ptr addrspace(1), ptr } %v41) [ "deopt"(i32 20773, i32 92677, ptr addrspace(1) %v96, ptr addrspace(1) %v96, ptr addrspace(1) %v96, i32 %v44, i32 %v44) ]
  br label %b25
b25:
  %v152 = phi ptr addrspace(1) [ %v27, %b23 ], [ %v96, %b101 ]
  %v154 = and i64 %p1, 7
  %v155 = add i64 %v154, 1
  %v153 = alloca i64, i64 %v155, align 16
  store i64 %p1, ptr %v153
  %v156 = and i64 %v13, 3
  %v157 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v156, i32 0
  %v158 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v156, i32 1
  br label %b170
b170:
  %v163 = phi i64 [ 0, %b25 ], [ %v164, %b173 ]
  %v167 = phi i64 [ 0, %b25 ], [ %v166, %b173 ]
  %v159 = load i64, ptr %v157
  %v160 = icmp eq i64 %v159, 1
  br i1 %v160, label %b171, label %b172
b171:
  %v161 = load ptr addrspace(1), ptr %v158
  call void @collect()
  %v169 = getelementptr i8, ptr addrspace(1) %v161, i64 24
  %v168 = load i64, ptr addrspace(1) %v169
  br label %b173
b172:
  %v162 = load i64, ptr %v158
  br label %b173
b173:
  %v175 = phi i64 [ %v168, %b171 ], [ %v162, %b172 ]
  %v166 = add i64 %v167, %v175
  %v164 = add i64 %v163, 1
  %v165 = icmp uge i64 %v164, 2
  br i1 %v165, label %b174, label %b170
b174:
  %v176 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v177 = load i64, ptr addrspace(1) %v176
  %v178 = load i64, ptr %sum
  %v179 = mul i64 %v178, 31
  %v180 = xor i64 %v179, %v177
  store i64 %v180, ptr %sum
  %v181 = getelementptr %node, ptr addrspace(1) %v152, i64 0, i32 1, i64 0
  %v182 = load i64, ptr addrspace(1) %v181
  %v183 = load i64, ptr %sum
  %v184 = mul i64 %v183, 31
  %v185 = xor i64 %v184, %v182
  store i64 %v185, ptr %sum
  %v186 = load i64, ptr %sum
  %v187 = mul i64 %v186, 31
  %v188 = xor i64 %v187, %v13
  store i64 %v188, ptr %sum
  %v189 = load i64, ptr %sum
  call void @note(i64 %v189)
  call void @throw_value(ptr addrspace(1) %p0)
  unreachable
}

define i64 @program(i64 %n) gc "coreclr" personality ptr @handle_all {
entry:
  %sum = alloca i64
  %cells = alloca { i64, [4 x ptr addrspace(1)] }
  store { i64, [4 x ptr addrspace(1)] } zeroinitializer, ptr %cells
  %closure = alloca { ptr addrspace(1), ptr }
  store { ptr addrspace(1), ptr } zeroinitializer, ptr %closure
  store i64 -1, ptr %sum
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  %v0 = call ptr addrspace(1) @allocate(i64 88, i64 3) [ "deopt"(i32 20773, i32 2050, i64 83, ptr addrspace(1) %first) ]
  %v1 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  store ptr addrspace(1) %first, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 27, ptr @fuel
  %v6 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v9 = icmp sge i64 %n, %n
  %v7 = getelementptr ptr, ptr %v6, i64 1
  %v10 = load ptr, ptr %v7
  %v8 = select i1 %v9, ptr %v10, ptr @reentered
  %v11 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %v0, 0
  %v12 = insertvalue { ptr addrspace(1), ptr } %v11, ptr %v8, 1
  %v13 = getelementptr [4 x ptr], ptr @code, i64 0, i64 0
  %v14 = load <2 x ptr>, ptr %v13, align 8
  %v15 = extractelement <2 x ptr> %v14, i32 0
  %v5 = invoke { ptr addrspace(1), ptr } %v15(ptr addrspace(1) %first, { ptr addrspace(1), ptr } %v12, { ptr addrspace(1), ptr } %v12) to label %b2 unwind label %b3
b2:
  %v16 = select i1 %v9, i64 %n, i64 %n
  call void @note(i64 %v16)
  br label %b25
b25:
  %v27 = phi i64 [ %n, %b2 ], [ %v16, %b53 ]
  %v28 = load i64, ptr @fuel
  %v29 = sub i64 %v28, 1
  store i64 %v29, ptr @fuel
  %v30 = icmp slt i64 %v28, 1
  %v32 = trunc i64 %v16 to i32
  br i1 %v30, label %b26, label %b31
b31:
  call void @collect()
  br i1 %v9, label %b34, label %b35
b34:
  %v37 = and i64 %n, 3
  %v38 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v37, i32 1
  %v39 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v37, i32 0
  store i64 %v16, ptr %v38
  store i64 0, ptr %v39
  store ptr addrspace(1) %first, ptr addrspace(1) %first
  br label %b36
b35:
  %v41 = select i1 %v9, ptr addrspace(1) %first, ptr addrspace(1) %first
  br label %b42
b42:
  %v44 = load i64, ptr @fuel
  %v45 = sub i64 %v44, 1
  store i64 %v45, ptr @fuel
  %v46 = icmp slt i64 %v44, 1
  br i1 %v46, label %b43, label %b47
b47:
  %v48 = sitofp i32 %v32 to double
  %v49 = fsub double %v48, %v48
  %v50 = load ptr addrspace(1), ptr addrspace(1) %v0
  br label %b42
b43:
  %v52 = select i1 %v9, ptr addrspace(1) %v41, ptr addrspace(1) %v41
  br label %b36
b36:
  %v54 = trunc i64 9223372036854775807 to i32
  br i1 %v9, label %b26, label %b53
b53:
  br label %b25
b26:
  %v55 = phi i32 [ %v32, %b25 ], [ %v54, %b36 ]
  br label %b4
b3:
  %v56 = landingpad token cleanup
  %v57 = call ptr addrspace(1) @caught()
  %v62 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v63 = getelementptr ptr, ptr %v62, i64 0
  %v64 = load ptr, ptr %v63
  %v61 = invoke i64 %v64(ptr addrspace(1) %v57, i64 %n) to label %b58 unwind label %b59
b58:
  %v67 = icmp eq ptr addrspace(1) %v57, null
  %v68 = select i1 %v67, ptr addrspace(1) %v57, ptr addrspace(1) %v57
  %v70 = getelementptr i8, ptr addrspace(1) %v68, i64 24
  %v69 = load i64, ptr addrspace(1) %v70
  %v66 = select i1 %v67, i64 1, i64 %v69
  %v71 = mul i64 0, 31
  %v72 = add i64 %v71, %v66
  %v74 = icmp eq ptr addrspace(1) %v57, null
  %v75 = select i1 %v74, ptr addrspace(1) %v57, ptr addrspace(1) %v57
  %v77 = getelementptr i8, ptr addrspace(1) %v75, i64 24
  %v76 = load i64, ptr addrspace(1) %v77
  %v73 = select i1 %v74, i64 1, i64 %v76
  %v78 = mul i64 %v72, 31
  %v79 = add i64 %v78, %v73
  %v81 = icmp eq ptr addrspace(1) %first, null
  %v82 = select i1 %v81, ptr addrspace(1) %v57, ptr addrspace(1) %first
  %v84 = getelementptr i8, ptr addrspace(1) %v82, i64 24
  %v83 = load i64, ptr addrspace(1) %v84
  %v80 = select i1 %v81, i64 1, i64 %v83
  %v85 = mul i64 %v79, 31
  %v86 = add i64 %v85, %v80
  %v87 = trunc i64 %v61 to i32
  %v88 = zext i32 %v87 to i64
  %v89 = mul i64 %v86, 31
  %v90 = add i64 %v89, %v88
  %v91 = zext i32 %v87 to i64
  %v92 = mul i64 %v90, 31
  %v93 = add i64 %v92, %v91
  %v65 = call i64 @observe(i64 %v93) [ "deopt"(i32 20773, i32 92677, ptr addrspace(1) %v57, ptr addrspace(1) %v57, ptr addrspace(1) %first, i32 %v87, i32 %v87) ]
  %v98 = trunc i64 %v65 to i32
  %v97 = invoke ptr addrspace(1) @inlined(ptr addrspace(1) %v0, i64 %v61) [ "deopt"(i32 20773, i32 42244, i32 %v87, i32 %v98, ptr addrspace(1) %first, ptr addrspace(1) %first) ] to label %b94 unwind label %b95
b94:
  %v99 = insertelement <4 x i32> zeroinitializer, i32 %v87, i32 0
  %v100 = add <4 x i32> %v99, <i32 1, i32 2, i32 3, i32 35>
  %v101 = mul <4 x i32> %v100, %v100
  br label %b96
b95:
  %v102 = landingpad token cleanup
  %v103 = call ptr addrspace(1) @caught()
  %v104 = sitofp i32 %v87 to double
  %v105 = freeze double %v104
  %v106 = getelementptr %node, ptr addrspace(1) %v103, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v103, ptr addrspace(1) %v106
  %v107 = and i64 %n, 3
  %v108 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v107, i32 1
  %v109 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v107, i32 0
  store i64 115, ptr %v108
  store i64 0, ptr %v109
  br label %b96
b96:
  %v110 = icmp ugt i64 %v61, %n
  %v111 = select i1 %v110, i64 %v61, i64 %n
  br i1 %v110, label %b113, label %b115
b113:
  %v116 = call i64 @native(i64 341) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v57), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  br label %b115
b115:
  call void @collect() [ "deopt"(i32 20773, i32 9731, ptr addrspace(1) %first, i32 %v87, ptr addrspace(1) %first) ]
  br label %b60
b59:
  %v117 = landingpad token cleanup
  %v118 = call ptr addrspace(1) @caught()
  call void @collect() [ "gc-live"(ptr addrspace(1) %v57, ptr addrspace(1) %v57) ]
  %v119 = getelementptr %node, ptr addrspace(1) %v57, i64 0, i32 1, i64 6
  store i64 %n, ptr addrspace(1) %v119
  %v120 = load ptr addrspace(1), ptr addrspace(1) %v57
  %v122 = alloca [2 x i64], align 8
  call void @llvm.memset.p0.i64(ptr %v122, i8 152, i64 16, i1 false)
  store i64 %n, ptr %v122
  br label %b60
b60:
  %v123 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v57, ptr addrspace(1) %v123
  store { ptr addrspace(1), ptr } %v12, ptr %closure
  call void @collect()
  call void @collect()
  %v124 = load { ptr addrspace(1), ptr }, ptr %closure
  %v126 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 1
  %v125 = load i64, ptr addrspace(1) %v126
  %v127 = load i64, ptr %sum
  %v128 = mul i64 %v127, 31
  %v129 = xor i64 %v128, %n
  store i64 %v129, ptr %sum
  %v130 = load i64, ptr %sum
  ret i64 %v130
b4:
  %v131 = zext i1 %v9 to i64
  %v132 = load i64, ptr %sum
  %v133 = mul i64 %v132, 31
  %v134 = xor i64 %v133, %v131
  store i64 %v134, ptr %sum
  %v135 = extractvalue { ptr addrspace(1), ptr } %v12, 0
  %v136 = getelementptr i8, ptr addrspace(1) %v135, i64 24
  %v137 = load i64, ptr addrspace(1) %v136
  %v138 = load i64, ptr %sum
  %v139 = mul i64 %v138, 31
  %v140 = xor i64 %v139, %v137
  store i64 %v140, ptr %sum
  %v141 = extractvalue { ptr addrspace(1), ptr } %v12, 0
  %v142 = getelementptr i8, ptr addrspace(1) %v141, i64 24
  %v143 = load i64, ptr addrspace(1) %v142
  %v144 = load i64, ptr %sum
  %v145 = mul i64 %v144, 31
  %v146 = xor i64 %v145, %v143
  store i64 %v146, ptr %sum
  store i64 11, ptr @fuel
  %v153 = trunc i64 %n to i32
  %v151 = insertelement <4 x i32> zeroinitializer, i32 %v153, i32 3
  %v152 = add <4 x i32> %v151, <i32 1, i32 2, i32 3, i32 74>
  %v154 = getelementptr [4 x ptr], ptr @code, i64 0, i64 1
  %v155 = load <2 x ptr>, ptr %v154, align 8
  %v156 = extractelement <2 x ptr> %v155, i32 0
  %v157 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %first, 0
  %v158 = insertvalue { ptr addrspace(1), ptr } %v157, ptr %v156, 1
  %v159 = extractvalue { ptr addrspace(1), ptr } %v158, 1
  %v150 = invoke i64 %v159(ptr addrspace(1) %first, { ptr addrspace(1), ptr } %v12, <4 x i32> %v152, i32 %v153, { ptr addrspace(1), ptr } %v12) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %first, ptr addrspace(1) %first, ptr addrspace(1) %first) ] to label %b147 unwind label %b148
b147:
  %v160 = call ptr addrspace(1) @turns(ptr addrspace(1) %first, i64 %v150)
  store { ptr addrspace(1), ptr } %v12, ptr %closure
  %v162 = call ptr addrspace(1) @make(i64 %v150, ptr addrspace(1) %v160) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %first, ptr addrspace(1) %v160) ]
  %v161 = load { ptr addrspace(1), ptr }, ptr %closure
  br label %b149
b148:
  %v163 = landingpad token cleanup
  %v164 = call ptr addrspace(1) @caught()
  %v165 = getelementptr %node, ptr addrspace(1) %v164, i64 0, i32 1, i64 0
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 %v165, i8 216, i64 32, i1 false) "smd-no-references"
  %v166 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v167 = load i64, ptr addrspace(1) %v166
  %v168 = load i64, ptr %sum
  %v169 = mul i64 %v168, 31
  %v170 = xor i64 %v169, %v167
  store i64 %v170, ptr %sum
  %v172 = zext i32 %v153 to i64
  %v173 = mul i64 0, 31
  %v174 = add i64 %v173, %v172
  %v176 = icmp eq ptr addrspace(1) %v0, null
  %v177 = select i1 %v176, ptr addrspace(1) %first, ptr addrspace(1) %v0
  %v179 = getelementptr i8, ptr addrspace(1) %v177, i64 24
  %v178 = load i64, ptr addrspace(1) %v179
  %v175 = select i1 %v176, i64 1, i64 %v178
  %v180 = mul i64 %v174, 31
  %v181 = add i64 %v180, %v175
  %v182 = zext i32 %v153 to i64
  %v183 = mul i64 %v181, 31
  %v184 = add i64 %v183, %v182
  %v171 = call i64 @observe(i64 %v184) [ "deopt"(i32 20773, i32 6403, i32 %v153, ptr addrspace(1) %v0, i32 %v153) ]
  %v185 = load i64, ptr %sum
  ret i64 %v185
b149:
  %v186 = phi <4 x i32> [ %v152, %b147 ]
  %v187 = load i64, ptr %sum
  %v188 = mul i64 %v187, 31
  %v189 = xor i64 %v188, %n
  store i64 %v189, ptr %sum
  %v190 = extractelement <4 x i32> %v152, i32 0
  %v191 = zext i32 %v190 to i64
  %v192 = load i64, ptr %sum
  %v193 = mul i64 %v192, 31
  %v194 = xor i64 %v193, %v191
  store i64 %v194, ptr %sum
  %v195 = extractelement <4 x i32> %v152, i32 3
  %v196 = zext i32 %v195 to i64
  %v197 = load i64, ptr %sum
  %v198 = mul i64 %v197, 31
  %v199 = xor i64 %v198, %v196
  store i64 %v199, ptr %sum
  %v200 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 1, i64 0
  %v201 = load i64, ptr addrspace(1) %v200
  %v202 = load i64, ptr %sum
  %v203 = mul i64 %v202, 31
  %v204 = xor i64 %v203, %v201
  store i64 %v204, ptr %sum
  store i64 12, ptr @fuel
  %v209 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v210 = load [2 x ptr], ptr %v209
  %v211 = extractvalue [2 x ptr] %v210, 0
  %v213 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %v0, ptr %v211)
  %v214 = extractvalue { ptr addrspace(1), ptr } %v213, 1
  %v208 = invoke i64 %v214(ptr addrspace(1) %first, i64 85) [ "deopt"(i32 20773, i32 32773, i64 148, i64 %n, i64 %n, ptr addrspace(1) %first, i64 %n) ] to label %b205 unwind label %b206
b205:
  %v215 = zext i1 %v9 to i64
  %v216 = load i64, ptr %sum
  %v217 = mul i64 %v216, 31
  %v218 = xor i64 %v217, %v215
  store i64 %v218, ptr %sum
  %v219 = call ptr addrspace(1) @turns(ptr addrspace(1) %first, i64 %v208) [ "deopt"(i32 20773, i32 514, ptr addrspace(1) %first, i64 175) ]
  br label %b207
b206:
  %v220 = landingpad token cleanup
  %v221 = call ptr addrspace(1) @caught()
  %v222 = and i64 %n, 3
  %v223 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v222, i32 0
  %v224 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v222, i32 1
  br label %b236
b236:
  %v229 = phi i64 [ 0, %b206 ], [ %v230, %b239 ]
  %v233 = phi i64 [ 0, %b206 ], [ %v232, %b239 ]
  %v225 = load i64, ptr %v223
  %v226 = icmp eq i64 %v225, 1
  br i1 %v226, label %b237, label %b238
b237:
  %v227 = load ptr addrspace(1), ptr %v224
  %v235 = getelementptr i8, ptr addrspace(1) %v227, i64 24
  %v234 = load i64, ptr addrspace(1) %v235
  br label %b239
b238:
  %v228 = load i64, ptr %v224
  br label %b239
b239:
  %v241 = phi i64 [ %v234, %b237 ], [ %v228, %b238 ]
  %v232 = add i64 %v233, %v241
  %v230 = add i64 %v229, 1
  %v231 = icmp uge i64 %v230, 2
  br i1 %v231, label %b240, label %b236
b240:
  call void @collect()
  %v244 = and i64 %n, 3
  %v245 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v244, i32 0
  %v246 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v244, i32 1
  br label %b258
b258:
  %v251 = phi i64 [ 0, %b240 ], [ %v252, %b261 ]
  %v255 = phi i64 [ 0, %b240 ], [ %v254, %b261 ]
  %v247 = load i64, ptr %v245
  %v248 = icmp eq i64 %v247, 1
  br i1 %v248, label %b259, label %b260
b259:
  %v249 = load ptr addrspace(1), ptr %v246
  call void @collect()
  %v257 = getelementptr i8, ptr addrspace(1) %v249, i64 24
  %v256 = load i64, ptr addrspace(1) %v257
  br label %b261
b260:
  %v250 = load i64, ptr %v246
  br label %b261
b261:
  %v263 = phi i64 [ %v256, %b259 ], [ %v250, %b260 ]
  %v254 = add i64 %v255, %v263
  %v252 = add i64 %v251, 1
  %v253 = icmp uge i64 %v252, 4
  br i1 %v253, label %b262, label %b258
b262:
  %v266 = icmp eq ptr addrspace(1) %first, null
  %v267 = select i1 %v266, ptr addrspace(1) %first, ptr addrspace(1) %first
  %v269 = getelementptr %node, ptr addrspace(1) %v267, i64 0, i32 1, i64 0
  %v268 = load i64, ptr addrspace(1) %v269
  %v265 = select i1 %v266, i64 1, i64 %v268
  %v270 = mul i64 0, 31
  %v271 = add i64 %v270, %v265
  %v273 = mul i64 %v271, 31
  %v274 = add i64 %v273, %v232
  %v276 = icmp eq ptr addrspace(1) %v221, null
  %v277 = select i1 %v276, ptr addrspace(1) %v221, ptr addrspace(1) %v221
  %v279 = getelementptr %node, ptr addrspace(1) %v277, i64 0, i32 1, i64 0
  %v278 = load i64, ptr addrspace(1) %v279
  %v275 = select i1 %v276, i64 1, i64 %v278
  %v280 = mul i64 %v274, 31
  %v281 = add i64 %v280, %v275
  %v283 = icmp eq ptr addrspace(1) %v221, null
  %v284 = select i1 %v283, ptr addrspace(1) %v221, ptr addrspace(1) %v221
  %v286 = getelementptr %node, ptr addrspace(1) %v284, i64 0, i32 1, i64 0
  %v285 = load i64, ptr addrspace(1) %v286
  %v282 = select i1 %v283, i64 1, i64 %v285
  %v287 = mul i64 %v281, 31
  %v288 = add i64 %v287, %v282
  %v290 = icmp eq ptr addrspace(1) %v0, null
  %v291 = select i1 %v290, ptr addrspace(1) %first, ptr addrspace(1) %v0
  %v293 = getelementptr %node, ptr addrspace(1) %v291, i64 0, i32 1, i64 0
  %v292 = load i64, ptr addrspace(1) %v293
  %v289 = select i1 %v290, i64 1, i64 %v292
  %v294 = mul i64 %v288, 31
  %v295 = add i64 %v294, %v289
  %v264 = call i64 @observe(i64 %v295) [ "deopt"(i32 20773, i32 172549, ptr addrspace(1) %first, i64 %v232, ptr addrspace(1) %v221, ptr addrspace(1) %v221, ptr addrspace(1) %v0) ]
  br label %b207
b207:
  %v296 = phi ptr addrspace(1) [ %v219, %b205 ], [ %v221, %b262 ]
  %v297 = icmp eq ptr addrspace(1) %v296, null
  %v298 = select i1 %v297, ptr addrspace(1) %first, ptr addrspace(1) %v296
  %v299 = getelementptr %node, ptr addrspace(1) %v298, i64 0, i32 0, i64 2
  %v300 = atomicrmw xchg ptr addrspace(1) %v299, ptr addrspace(1) %v0 seq_cst
  %v303 = call ptr addrspace(1) @inlined(ptr addrspace(1) %first, i64 %n)
  %v304 = extractelement <4 x i32> %v152, i32 0
  %v305 = zext i32 %v304 to i64
  %v306 = load i64, ptr %sum
  %v307 = mul i64 %v306, 31
  %v308 = xor i64 %v307, %v305
  store i64 %v308, ptr %sum
  %v309 = extractelement <4 x i32> %v152, i32 3
  %v310 = zext i32 %v309 to i64
  %v311 = load i64, ptr %sum
  %v312 = mul i64 %v311, 31
  %v313 = xor i64 %v312, %v310
  store i64 %v313, ptr %sum
  %v314 = icmp eq ptr addrspace(1) %v296, null
  %v315 = select i1 %v314, ptr addrspace(1) %first, ptr addrspace(1) %v296
  %v316 = getelementptr %node, ptr addrspace(1) %v315, i64 0, i32 1, i64 0
  %v317 = load i64, ptr addrspace(1) %v316
  %v318 = load i64, ptr %sum
  %v319 = mul i64 %v318, 31
  %v320 = xor i64 %v319, %v317
  store i64 %v320, ptr %sum
  %v321 = extractelement <4 x i32> %v186, i32 0
  %v322 = zext i32 %v321 to i64
  %v323 = load i64, ptr %sum
  %v324 = mul i64 %v323, 31
  %v325 = xor i64 %v324, %v322
  store i64 %v325, ptr %sum
  %v326 = extractelement <4 x i32> %v186, i32 3
  %v327 = zext i32 %v326 to i64
  %v328 = load i64, ptr %sum
  %v329 = mul i64 %v328, 31
  %v330 = xor i64 %v329, %v327
  store i64 %v330, ptr %sum
  store i64 15, ptr @fuel
  %v335 = getelementptr [4 x ptr], ptr @code, i64 0, i64 2
  %v336 = getelementptr ptr, ptr %v335, i64 1
  %v338 = load ptr, ptr %v336
  %v337 = select i1 %v9, ptr %v338, ptr @reentered
  %v334 = invoke i64 %v337(ptr addrspace(1) %v298, i64 %n) to label %b331 unwind label %b332
b331:
  br label %b333
b332:
  %v339 = landingpad token cleanup
  %v340 = call ptr addrspace(1) @caught()
  %v341 = getelementptr %node, ptr addrspace(1) %v315, i64 0, i32 1, i64 0
  %v342 = load i64, ptr addrspace(1) %v341
  %v343 = load i64, ptr %sum
  %v344 = mul i64 %v343, 31
  %v345 = xor i64 %v344, %v342
  store i64 %v345, ptr %sum
  %v346 = icmp sge i64 %n, %n
  %v347 = select i1 %v346, i64 %n, i64 %n
  br label %b333
b333:
  %v348 = getelementptr %node, ptr addrspace(1) %v298, i64 0, i32 1, i64 0
  store i64 %n, ptr addrspace(1) %v348
  %v350 = and i64 %n, 3
  %v349 = getelementptr { i64, [4 x ptr addrspace(1)] }, ptr %cells, i64 0, i32 1, i64 %v350
  store ptr addrspace(1) %v300, ptr %v349
  call void @collect()
  %v351 = load ptr addrspace(1), ptr %v349
  %v352 = getelementptr %node, ptr addrspace(1) %v315, i64 0, i32 1, i64 0
  %v353 = load i64, ptr addrspace(1) %v352
  %v354 = load i64, ptr %sum
  %v355 = mul i64 %v354, 31
  %v356 = xor i64 %v355, %v353
  store i64 %v356, ptr %sum
  %v357 = zext i1 %v9 to i64
  %v358 = load i64, ptr %sum
  %v359 = mul i64 %v358, 31
  %v360 = xor i64 %v359, %v357
  store i64 %v360, ptr %sum
  %v361 = getelementptr %node, ptr addrspace(1) %v298, i64 0, i32 1, i64 0
  %v362 = load i64, ptr addrspace(1) %v361
  %v363 = load i64, ptr %sum
  %v364 = mul i64 %v363, 31
  %v365 = xor i64 %v364, %v362
  store i64 %v365, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v298)
  call void @keep(i64 1, ptr addrspace(1) %v296)
  %v366 = load i64, ptr %sum
  ret i64 %v366
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
