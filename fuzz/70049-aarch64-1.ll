; random: target=aarch64-unknown-linux-gnu opt=1 poll=tls:poll_thread:8 safepoints=postcall frame_pointer=all code_model=large remat=false all_backedges=true elide=leaf
; compile: codegen_failed: No polls: page polls are for functions with statepoints, and this one has GC "shadow-stack"; poll=call:SYMBOL or poll=flag:SYMBOL:SLOW work in both
; seed 70049
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
@code = global [3 x ptr] [ptr @f0, ptr @listed, ptr @reentered], align 16
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

define internal ptr addrspace(1) @f0(ptr addrspace(1) %p0) nounwind gc "statepoint-example" {
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
  ret ptr addrspace(1) null
run:
  %v3 = call ptr addrspace(1) @f0(ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 10245, i64 212, ptr addrspace(1) null, ptr addrspace(1) %p0, i64 721, i64 195) ]
  %v4 = call ptr addrspace(1) @rooted(ptr addrspace(1) %p0, i64 72)
  %v5 = call i64 @listed(ptr addrspace(1) %v4, i64 0) [ "deopt"(i32 20773, i32 1, i64 66) ]
  %v6 = icmp sge i64 41, %v5
  br i1 %v6, label %b8, label %b9
b8:
  %v11 = getelementptr i8, ptr addrspace(1) %v4, i64 48
  %v12 = ptrtoint ptr addrspace(1) %v4 to i64
  %v13 = ptrtoint ptr addrspace(1) %v11 to i64
  %v14 = sub i64 %v13, %v12
  br label %b10
b9:
  %v15 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v16 = load i64, ptr addrspace(1) %v15
  %v17 = load i64, ptr %sum
  %v18 = mul i64 %v17, 31
  %v19 = xor i64 %v18, %v16
  store i64 %v19, ptr %sum
  %v20 = call ptr addrspace(1) @rooted(ptr addrspace(1) %v4, i64 %v5)
  br label %b10
b10:
  %v21 = phi ptr addrspace(1) [ %p0, %b8 ], [ %v20, %b9 ]
  %v22 = phi ptr addrspace(1) [ %p0, %b8 ], [ %v20, %b9 ]
  %v23 = phi ptr addrspace(1) [ %p0, %b8 ], [ %p0, %b9 ]
  call void @collect()
  %v26 = icmp eq ptr addrspace(1) %v21, null
  %v27 = select i1 %v26, ptr addrspace(1) %v22, ptr addrspace(1) %v21
  %v29 = getelementptr %node, ptr addrspace(1) %v27, i64 0, i32 1, i64 0
  %v28 = load i64, ptr addrspace(1) %v29
  %v25 = select i1 %v26, i64 1, i64 %v28
  %v30 = mul i64 0, 31
  %v31 = add i64 %v30, %v25
  %v33 = icmp eq ptr addrspace(1) null, null
  %v34 = select i1 %v33, ptr addrspace(1) %p0, ptr addrspace(1) null
  %v36 = getelementptr %node, ptr addrspace(1) %v34, i64 0, i32 1, i64 0
  %v35 = load i64, ptr addrspace(1) %v36
  %v32 = select i1 %v33, i64 1, i64 %v35
  %v37 = mul i64 %v31, 31
  %v38 = add i64 %v37, %v32
  %v40 = icmp eq ptr addrspace(1) %v21, null
  %v41 = select i1 %v40, ptr addrspace(1) %p0, ptr addrspace(1) %v21
  %v43 = getelementptr %node, ptr addrspace(1) %v41, i64 0, i32 1, i64 0
  %v42 = load i64, ptr addrspace(1) %v43
  %v39 = select i1 %v40, i64 1, i64 %v42
  %v44 = mul i64 %v38, 31
  %v45 = add i64 %v44, %v39
  %v47 = icmp eq ptr addrspace(1) %v21, null
  %v48 = select i1 %v47, ptr addrspace(1) %v21, ptr addrspace(1) %v21
  %v50 = getelementptr %node, ptr addrspace(1) %v48, i64 0, i32 1, i64 0
  %v49 = load i64, ptr addrspace(1) %v50
  %v46 = select i1 %v47, i64 1, i64 %v49
  %v51 = mul i64 %v45, 31
  %v52 = add i64 %v51, %v46
  %v54 = icmp eq ptr addrspace(1) %v21, null
  %v55 = select i1 %v54, ptr addrspace(1) %v21, ptr addrspace(1) %v21
  %v57 = getelementptr i8, ptr addrspace(1) %v55, i64 24
  %v56 = load i64, ptr addrspace(1) %v57
  %v53 = select i1 %v54, i64 1, i64 %v56
  %v58 = mul i64 %v52, 31
  %v59 = add i64 %v58, %v53
  %v24 = call i64 @observe(i64 %v59) [ "deopt"(i32 20773, i32 174597, ptr addrspace(1) %v21, ptr addrspace(1) null, ptr addrspace(1) %v21, ptr addrspace(1) %v21, ptr addrspace(1) %v21) ]
  %v66 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v67 = getelementptr ptr, ptr %v66, i64 1
  %v68 = load ptr, ptr %v67
  %v69 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %v4, 0
  %v70 = insertvalue { ptr addrspace(1), ptr } %v69, ptr %v68, 1
  %v60 = and i64 %v5, 3
  switch i64 %v60, label %b61 [ i64 1, label %b62 i64 2, label %b63 i64 3, label %b65 ]
b61:
  %v71 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 0, i64 1
  store ptr addrspace(1) %v21, ptr addrspace(1) %v71
  %v72 = load ptr addrspace(1), ptr addrspace(1) %p0
  %v73 = call ptr @smd.gc.pin(ptr addrspace(1) %v72)
  %v76 = call ptr addrspace(1) @make(i64 %v5, ptr addrspace(1) %v4)
  %v74 = getelementptr i8, ptr %v73, i64 24
  %v75 = load i64, ptr %v74
  %v77 = call ptr addrspace(1) @make(i64 %v5, ptr addrspace(1) %v3)
  call void @collect()
  store i64 %v5, ptr %v74
  call void @smd.gc.unpin(ptr %v73)
  %v78 = extractvalue { ptr addrspace(1), ptr } %v70, 0
  %v79 = extractvalue { ptr addrspace(1), ptr } %v70, 1
  %v80 = call i64 %v79(ptr addrspace(1) %v78, i64 %v75) [ "deopt"(i32 20773, i32 174597, ptr addrspace(1) %v76, ptr addrspace(1) %p0, ptr addrspace(1) %v22, ptr addrspace(1) %v21, ptr addrspace(1) %v77) ]
  br label %b65
b62:
  %v81 = extractvalue { ptr addrspace(1), ptr } %v70, 0
  %v82 = extractvalue { ptr addrspace(1), ptr } %v70, 1
  %v83 = call i64 %v82(ptr addrspace(1) %v81, i64 %v24) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %v3) ]
  %v85 = getelementptr %node, ptr addrspace(1) %v21, i64 0, i32 1, i64 7
  %v84 = load i64, ptr addrspace(1) %v85
  br label %b65
b63:
  %v86 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %v21, i64 %v24)
  %v87 = extractvalue { i1, ptr addrspace(1) } %v86, 0
  %v88 = extractvalue { i1, ptr addrspace(1) } %v86, 1
  call void @collect()
  %v90 = call ptr addrspace(1) @make(i64 686, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 2563, ptr addrspace(1) %v3, ptr addrspace(1) %v21, i64 %v5) ]
  %v89 = select i1 %v87, ptr addrspace(1) %v88, ptr addrspace(1) %v21
  %v91 = getelementptr %node, ptr addrspace(1) %v89, i64 0, i32 0, i64 2
  store ptr addrspace(1) %v90, ptr addrspace(1) %v91
  br label %b65
b65:
  %v92 = phi { ptr addrspace(1), ptr } [ %v70, %b10 ], [ %v70, %b61 ], [ %v70, %b62 ], [ %v70, %b63 ]
  %v93 = phi i64 [ %v5, %b10 ], [ %v24, %b61 ], [ %v24, %b62 ], [ %v5, %b63 ]
  %v94 = phi ptr addrspace(1) [ %v3, %b10 ], [ %v22, %b61 ], [ %p0, %b62 ], [ %v90, %b63 ]
  %v95 = icmp eq ptr addrspace(1) %v94, null
  %v96 = select i1 %v95, ptr addrspace(1) %p0, ptr addrspace(1) %v94
  %v97 = load ptr addrspace(1), ptr addrspace(1) %v96
  br i1 %v6, label %b100, label %b101
b100:
  %v103 = call i64 @smd.gc.to_int(ptr addrspace(1) %v96)
  %v104 = or i64 %v103, 3
  store i64 %v104, ptr %tagged.local
  %v106 = call ptr addrspace(1) @make(i64 %v5, ptr addrspace(1) %v94) [ "deopt"(i32 20773, i32 8708, ptr addrspace(1) %v21, i64 %v24, ptr addrspace(1) %v21, i64 %v5) ]
  %v107 = load i64, ptr %tagged.local
  %v109 = and i64 %v24, 3
  switch i64 %v109, label %b110 [ i64 1, label %b111 i64 2, label %b112 i64 3, label %b114 ]
b110:
  %v115 = getelementptr %node, ptr addrspace(1) %v21, i64 0, i32 1, i64 6
  store i64 %v93, ptr addrspace(1) %v115
  %v116 = call i64 @smd.gc.to_int(ptr addrspace(1) %v21)
  %v117 = or i64 %v116, 6
  %v118 = call i64 @smd.gc.to_int(ptr addrspace(1) %v21)
  %v119 = or i64 %v118, 2
  br label %b114
b111:
  call void @collect() [ "deopt"(i32 20773, i32 43524, ptr addrspace(1) %v106, ptr addrspace(1) %v97, ptr addrspace(1) %v106, ptr addrspace(1) %v22) ]
  %v121 = and i64 %v93, 1
  %v122 = getelementptr [2 x ptr], ptr @table, i64 0, i64 %v121
  %v123 = load ptr, ptr %v122
  %v120 = call i64 %v123(ptr addrspace(1) %v22, i64 %v93) [ "deopt"(i32 20773, i32 141829, ptr addrspace(1) %v94, ptr addrspace(1) %p0, ptr addrspace(1) %v4, i64 %v5, ptr addrspace(1) %v3) ]
  %v124 = call ptr addrspace(1) @make(i64 %v24, ptr addrspace(1) %v94) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v106) ]
  br label %b114
b112:
  %v126 = and i64 %v5, 1
  %v127 = getelementptr [2 x ptr], ptr @table, i64 0, i64 %v126
  %v128 = load ptr, ptr %v127
  %v125 = call i64 %v128(ptr addrspace(1) %v96, i64 %v5) [ "deopt"(i32 20773, i32 41477, ptr addrspace(1) null, i64 %v5, ptr addrspace(1) %v94, ptr addrspace(1) %v94, i64 %v5) ]
  br label %b114
b114:
  %v129 = phi i64 [ %v104, %b100 ], [ %v117, %b110 ], [ %v104, %b111 ], [ %v104, %b112 ]
  %v130 = phi i64 [ %v104, %b100 ], [ %v119, %b110 ], [ %v104, %b111 ], [ %v104, %b112 ]
  %v131 = icmp eq i64 %v93, %v5
  %v132 = select i1 %v131, i64 %v93, i64 %v5
  %v135 = icmp eq ptr addrspace(1) %v21, null
  %v136 = select i1 %v135, ptr addrspace(1) %v96, ptr addrspace(1) %v21
  %v138 = getelementptr i8, ptr addrspace(1) %v136, i64 24
  %v137 = load i64, ptr addrspace(1) %v138
  %v134 = select i1 %v135, i64 1, i64 %v137
  %v139 = mul i64 0, 31
  %v140 = add i64 %v139, %v134
  %v142 = icmp eq ptr addrspace(1) %v94, null
  %v143 = select i1 %v142, ptr addrspace(1) %v96, ptr addrspace(1) %v94
  %v145 = getelementptr i8, ptr addrspace(1) %v143, i64 24
  %v144 = load i64, ptr addrspace(1) %v145
  %v141 = select i1 %v142, i64 1, i64 %v144
  %v146 = mul i64 %v140, 31
  %v147 = add i64 %v146, %v141
  %v149 = icmp eq ptr addrspace(1) %v4, null
  %v150 = select i1 %v149, ptr addrspace(1) %v21, ptr addrspace(1) %v4
  %v152 = getelementptr %node, ptr addrspace(1) %v150, i64 0, i32 1, i64 0
  %v151 = load i64, ptr addrspace(1) %v152
  %v148 = select i1 %v149, i64 1, i64 %v151
  %v153 = mul i64 %v147, 31
  %v154 = add i64 %v153, %v148
  %v133 = call i64 @observe(i64 %v154) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %v21, ptr addrspace(1) %v94, ptr addrspace(1) %v4) ]
  br label %b102
b101:
  %v155 = zext i1 %v6 to i64
  %v156 = load i64, ptr %sum
  %v157 = mul i64 %v156, 31
  %v158 = xor i64 %v157, %v155
  store i64 %v158, ptr %sum
  br label %b102
b102:
  %v159 = phi { ptr addrspace(1), ptr } [ %v70, %b114 ], [ %v70, %b101 ]
  %v160 = extractvalue { ptr addrspace(1), ptr } %v70, 0
  %v161 = extractvalue { ptr addrspace(1), ptr } %v70, 1
  %v162 = call i64 %v161(ptr addrspace(1) %v160, i64 %v5) [ "deopt"(i32 20773, i32 1, i64 %v24), "gc-transition"(ptr @thread_state) ]
  %v163 = getelementptr %node, ptr addrspace(1) %v21, i64 0, i32 1, i64 3
  store i64 %v24, ptr addrspace(1) %v163
  %v164 = call i64 @smd.gc.to_int(ptr addrspace(1) %v4)
  %v165 = or i64 %v164, 3
  store i64 %v165, ptr %tagged.local
  call void @collect()
  %v168 = load double, ptr %tagged.local
  %v167 = bitcast double %v168 to i64
  %v169 = icmp eq ptr addrspace(1) %v94, null
  %v170 = select i1 %v169, ptr addrspace(1) %v96, ptr addrspace(1) %v94
  %v171 = getelementptr %node, ptr addrspace(1) %v170, i64 0, i32 0, i64 2
  %v173 = cmpxchg ptr addrspace(1) %v171, ptr addrspace(1) %v170, ptr addrspace(1) %v96 acq_rel monotonic
  %v172 = extractvalue { ptr addrspace(1), i1 } %v173, 0
  %v174 = extractvalue { ptr addrspace(1), i1 } %v173, 1
  %v175 = getelementptr i8, ptr addrspace(1) %p0, i64 24
  %v176 = load i64, ptr addrspace(1) %v175
  %v177 = load i64, ptr %sum
  %v178 = mul i64 %v177, 31
  %v179 = xor i64 %v178, %v176
  store i64 %v179, ptr %sum
  %v180 = getelementptr %node, ptr addrspace(1) %v23, i64 0, i32 1, i64 0
  %v181 = load i64, ptr addrspace(1) %v180
  %v182 = load i64, ptr %sum
  %v183 = mul i64 %v182, 31
  %v184 = xor i64 %v183, %v181
  store i64 %v184, ptr %sum
  %v185 = getelementptr i8, ptr addrspace(1) %v21, i64 24
  %v186 = load i64, ptr addrspace(1) %v185
  %v187 = load i64, ptr %sum
  %v188 = mul i64 %v187, 31
  %v189 = xor i64 %v188, %v186
  store i64 %v189, ptr %sum
  %v190 = load i64, ptr %sum
  call void @note(i64 %v190)
  ret ptr addrspace(1) %v23
}

define i64 @listed(ptr addrspace(1) %p0, i64 %p1) gc "statepoint-example" {
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
  %v12 = icmp uge i64 %v11, 3
  br i1 %v12, label %b21, label %b17
b21:
  %v24 = getelementptr i8, ptr addrspace(1) %p0, i64 48
  %v23 = load i64, ptr addrspace(1) %v24
  %v25 = getelementptr i8, ptr addrspace(1) %p0, i64 48
  %v26 = ptrtoint ptr addrspace(1) %p0 to i64
  %v27 = ptrtoint ptr addrspace(1) %v25 to i64
  %v28 = sub i64 %v27, %v26
  %v30 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 0
  %v29 = load i64, ptr addrspace(1) %v30
  %v31 = load ptr addrspace(1), ptr addrspace(1) %p0
  %v32 = call ptr @smd.gc.pin(ptr addrspace(1) %v31)
  %v35 = call ptr addrspace(1) @make(i64 %v23, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 174597, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %p0) ]
  %v33 = getelementptr i8, ptr %v32, i64 24
  %v34 = load i64, ptr %v33
  store i64 %p1, ptr %v33
  call void @smd.gc.unpin(ptr %v32)
  %v36 = call ptr addrspace(1) @rooted(ptr addrspace(1) %v35, i64 %v34)
  %v38 = getelementptr i8, ptr addrspace(1) %v35, i64 48
  %v37 = load i64, ptr addrspace(1) %v38
  %v39 = and i64 %v29, %p1
  %v40 = call i64 @reentered(ptr addrspace(1) %v35, i64 %v23) [ "deopt"(i32 20773, i32 41476, ptr addrspace(1) %v35, i64 464, ptr addrspace(1) %v35, ptr addrspace(1) %p0) ]
  %v41 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %v35, i64 %v40)
  %v42 = extractvalue { i1, ptr addrspace(1) } %v41, 0
  %v43 = extractvalue { i1, ptr addrspace(1) } %v41, 1
  %v45 = call ptr addrspace(1) @make(i64 %v37, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 1, i64 %v34) ]
  call void @collect()
  %v44 = select i1 %v42, ptr addrspace(1) %v43, ptr addrspace(1) %v35
  %v46 = getelementptr i8, ptr addrspace(1) %v36, i64 24
  %v47 = load i64, ptr addrspace(1) %v46
  %v48 = load i64, ptr %sum
  %v49 = mul i64 %v48, 31
  %v50 = xor i64 %v49, %v47
  store i64 %v50, ptr %sum
  %v51 = load i64, ptr %sum
  %v52 = mul i64 %v51, 31
  %v53 = xor i64 %v52, %v29
  store i64 %v53, ptr %sum
  %v54 = load i64, ptr %sum
  %v55 = mul i64 %v54, 31
  %v56 = xor i64 %v55, %v37
  store i64 %v56, ptr %sum
  %v59 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v60 = load <2 x ptr>, ptr %v59, align 8
  %v61 = extractelement <2 x ptr> %v60, i32 0
  %v63 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %p0, ptr %v61)
  %v57 = extractvalue { ptr addrspace(1), ptr } %v63, 0
  %v58 = extractvalue { ptr addrspace(1), ptr } %v63, 1
  %v64 = musttail call i64 %v58(ptr addrspace(1) %v57, i64 %p1)
  ret i64 %v64
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) gc "statepoint-example" {
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
  %v3 = call i64 @native(i64 %p1) [ "deopt"(i32 20773, i32 8196, i64 %p1, i64 %p1, ptr addrspace(1) %p0, i64 %p1), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v4 = getelementptr [3 x ptr], ptr @code, i64 0, i64 0
  %v7 = icmp ne i64 %v3, %p1
  %v5 = getelementptr ptr, ptr %v4, i64 0
  %v8 = load ptr, ptr %v5
  %v6 = select i1 %v7, ptr %v8, ptr @f0
  %v9 = call ptr addrspace(1) %v6(ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %p0, ptr addrspace(1) %p0, ptr addrspace(1) %p0) ]
  %v10 = call { i1, ptr addrspace(1) } @optional(ptr addrspace(1) %p0, i64 %p1)
  %v11 = extractvalue { i1, ptr addrspace(1) } %v10, 0
  %v12 = extractvalue { i1, ptr addrspace(1) } %v10, 1
  %v14 = call ptr addrspace(1) @make(i64 %p1, ptr addrspace(1) %v9) [ "deopt"(i32 20773, i32 516, ptr addrspace(1) %p0, i64 %p1, i64 %v3, i64 %v3) ]
  call void @collect()
  %v13 = select i1 %v11, ptr addrspace(1) %v12, ptr addrspace(1) %p0
  %v17 = icmp eq ptr addrspace(1) %v9, null
  %v18 = select i1 %v17, ptr addrspace(1) %v13, ptr addrspace(1) %v9
  %v20 = getelementptr %node, ptr addrspace(1) %v18, i64 0, i32 1, i64 0
  %v19 = load i64, ptr addrspace(1) %v20
  %v16 = select i1 %v17, i64 1, i64 %v19
  %v21 = mul i64 0, 31
  %v22 = add i64 %v21, %v16
  %v24 = icmp eq ptr addrspace(1) null, null
  %v25 = select i1 %v24, ptr addrspace(1) %v14, ptr addrspace(1) null
  %v27 = getelementptr %node, ptr addrspace(1) %v25, i64 0, i32 1, i64 0
  %v26 = load i64, ptr addrspace(1) %v27
  %v23 = select i1 %v24, i64 1, i64 %v26
  %v28 = mul i64 %v22, 31
  %v29 = add i64 %v28, %v23
  %v31 = icmp eq ptr addrspace(1) null, null
  %v32 = select i1 %v31, ptr addrspace(1) %v14, ptr addrspace(1) null
  %v34 = getelementptr %node, ptr addrspace(1) %v32, i64 0, i32 1, i64 0
  %v33 = load i64, ptr addrspace(1) %v34
  %v30 = select i1 %v31, i64 1, i64 %v33
  %v35 = mul i64 %v29, 31
  %v36 = add i64 %v35, %v30
  %v15 = call i64 @observe(i64 %v36) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %v9, ptr addrspace(1) null, ptr addrspace(1) null) ]
  %v37 = call i64 @native(i64 %p1) [ "deopt"(i32 20773, i32 41476, ptr addrspace(1) null, i64 %p1, ptr addrspace(1) null, ptr addrspace(1) %p0), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  br i1 %v7, label %b39, label %b41
b39:
  %v42 = getelementptr %node, ptr addrspace(1) %v14, i64 0, i32 1, i64 0
  %v43 = load i64, ptr addrspace(1) %v42
  %v44 = load i64, ptr %sum
  %v45 = mul i64 %v44, 31
  %v46 = xor i64 %v45, %v43
  store i64 %v46, ptr %sum
  br label %b41
b41:
  %v47 = phi i64 [ %v15, %run ], [ %v15, %b39 ]
  %v48 = phi i64 [ %p1, %run ], [ %p1, %b39 ]
  %v49 = call i64 @smd.gc.to_int(ptr addrspace(1) %p0)
  %v50 = or i64 %v49, 3
  %v51 = call ptr addrspace(1) @smd.gc.from_int(i64 %v50)
  %v52 = call ptr addrspace(1) @make(i64 %v48, ptr addrspace(1) %v13)
  %v53 = and i64 %p1, 3
  switch i64 %v53, label %b54 [ i64 1, label %b55 i64 2, label %b56 i64 3, label %b58 ]
b54:
  %v59 = call i64 @native(i64 %p1) [ "deopt"(i32 20773, i32 2563, ptr addrspace(1) %v14, ptr addrspace(1) %v51, i64 %v15), "gc-transition"(ptr @thread_state) ]
  call void @calm()
  %v62 = getelementptr i8, ptr addrspace(1) %v14, i64 40
  %v60 = addrspacecast ptr addrspace(1) %v62 to ptr
  %v61 = load i64, ptr %v60
  br i1 %v7, label %b64, label %b66, !prof !2
b64:
  %v67 = icmp eq ptr addrspace(1) %v51, %v13
  %v68 = call ptr addrspace(1) @allocate(i64 96, i64 3) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %p0, ptr addrspace(1) %v9) ]
  %v69 = getelementptr i8, ptr addrspace(1) %v68, i64 24
  store ptr addrspace(1) %v14, ptr addrspace(1) %v68
  store i64 %v59, ptr addrspace(1) %v69
  br label %b66
b66:
  %v70 = phi ptr addrspace(1) [ %v9, %b54 ], [ %v51, %b64 ]
  %v71 = and i64 %p1, 3
  switch i64 %v71, label %b72 [ i64 1, label %b73 i64 2, label %b74 i64 3, label %b75 ]
b72:
  %v79 = icmp eq ptr addrspace(1) %v51, null
  %v80 = select i1 %v79, ptr addrspace(1) %v13, ptr addrspace(1) %v51
  %v82 = getelementptr i8, ptr addrspace(1) %v80, i64 24
  %v81 = load i64, ptr addrspace(1) %v82
  %v78 = select i1 %v79, i64 1, i64 %v81
  %v83 = mul i64 0, 31
  %v84 = add i64 %v83, %v78
  %v77 = call i64 @observe(i64 %v84) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v51) ]
  %v85 = call ptr @smd.gc.pin(ptr addrspace(1) %p0)
  call void @collect()
  %v88 = call ptr addrspace(1) @make(i64 %v59, ptr addrspace(1) %v52) [ "deopt"(i32 20773, i32 8708, ptr addrspace(1) %v51, i64 %v61, ptr addrspace(1) %v13, i64 %v15) ]
  %v86 = getelementptr i8, ptr %v85, i64 24
  %v87 = load i64, ptr %v86
  call void @collect()
  store i64 %v15, ptr %v86
  call void @smd.gc.unpin(ptr %v85)
  %v89 = icmp sge i64 %v15, %v59
  %v90 = select i1 %v89, i64 %v15, i64 %v59
  %v91 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v92 = load [2 x ptr], ptr %v91
  %v93 = extractvalue [2 x ptr] %v92, 0
  %v94 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %p0, 0
  %v95 = insertvalue { ptr addrspace(1), ptr } %v94, ptr %v93, 1
  br label %b76
b73:
  %v98 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 2
  %v96 = addrspacecast ptr addrspace(1) %v98 to ptr
  %v97 = load i64, ptr %v96
  %v101 = icmp eq ptr addrspace(1) %v51, null
  %v102 = select i1 %v101, ptr addrspace(1) %p0, ptr addrspace(1) %v51
  %v104 = getelementptr i8, ptr addrspace(1) %v102, i64 24
  %v103 = load i64, ptr addrspace(1) %v104
  %v100 = select i1 %v101, i64 1, i64 %v103
  %v105 = mul i64 0, 31
  %v106 = add i64 %v105, %v100
  %v108 = icmp eq ptr addrspace(1) %v13, null
  %v109 = select i1 %v108, ptr addrspace(1) %v14, ptr addrspace(1) %v13
  %v111 = getelementptr %node, ptr addrspace(1) %v109, i64 0, i32 1, i64 0
  %v110 = load i64, ptr addrspace(1) %v111
  %v107 = select i1 %v108, i64 1, i64 %v110
  %v112 = mul i64 %v106, 31
  %v113 = add i64 %v112, %v107
  %v99 = call i64 @observe(i64 %v113) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %v51, ptr addrspace(1) %v13) ]
  %v114 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 0, i64 2
  store ptr addrspace(1) %v13, ptr addrspace(1) %v114
  %v117 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v118 = load [2 x ptr], ptr %v117
  %v119 = extractvalue [2 x ptr] %v118, 1
  %v120 = insertvalue { ptr addrspace(1), ptr } poison, ptr addrspace(1) %v14, 0
  %v121 = insertvalue { ptr addrspace(1), ptr } %v120, ptr %v119, 1
  %v115 = extractvalue { ptr addrspace(1), ptr } %v121, 0
  %v116 = extractvalue { ptr addrspace(1), ptr } %v121, 1
  %v122 = musttail call i64 %v116(ptr addrspace(1) %v115, i64 %v59)
  ret i64 %v122
b74:
  %v123 = call ptr addrspace(1) @make(i64 43, ptr addrspace(1) null)
  %v124 = getelementptr %node, ptr addrspace(1) %v13, i64 0, i32 1, i64 0
  %v125 = load i64, ptr addrspace(1) %v124
  %v126 = load i64, ptr %sum
  %v127 = mul i64 %v126, 31
  %v128 = xor i64 %v127, %v125
  store i64 %v128, ptr %sum
  %v129 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v130 = load [2 x ptr], ptr %v129
  %v131 = extractvalue [2 x ptr] %v130, 0
  %v132 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %v51, 0
  %v133 = insertvalue { ptr addrspace(1), ptr } %v132, ptr %v131, 1
  br label %b76
b75:
  %v134 = load i64, ptr %sum
  %v135 = mul i64 %v134, 31
  %v136 = xor i64 %v135, %p1
  store i64 %v136, ptr %sum
  %v139 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v140 = getelementptr ptr, ptr %v139, i64 0
  %v141 = load ptr, ptr %v140
  %v142 = insertvalue { ptr addrspace(1), ptr } zeroinitializer, ptr addrspace(1) %p0, 0
  %v143 = insertvalue { ptr addrspace(1), ptr } %v142, ptr %v141, 1
  %v137 = extractvalue { ptr addrspace(1), ptr } %v143, 0
  %v138 = extractvalue { ptr addrspace(1), ptr } %v143, 1
  %v144 = musttail call i64 %v138(ptr addrspace(1) %v137, i64 0)
  ret i64 %v144
b76:
  %v145 = phi ptr addrspace(1) [ %v9, %b72 ], [ %v14, %b74 ]
  %v146 = phi { ptr addrspace(1), ptr } [ %v95, %b72 ], [ %v133, %b74 ]
  %v147 = phi ptr addrspace(1) [ %v70, %b72 ], [ %v123, %b74 ]
  br label %b58
b55:
  %v152 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v153 = load [2 x ptr], ptr %v152
  %v154 = extractvalue [2 x ptr] %v153, 0
  %v156 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %v14, ptr %v154)
  br i1 %v7, label %b149, label %b151
b149:
  %v157 = getelementptr %node, ptr addrspace(1) %p0, i64 0, i32 1, i64 3
  store i64 %p1, ptr addrspace(1) %v157
  %v158 = load i64, ptr %sum
  %v159 = mul i64 %v158, 31
  %v160 = xor i64 %v159, %v3
  store i64 %v160, ptr %sum
  store { ptr addrspace(1), ptr } %v156, ptr %closure
  call void @collect()
  %v161 = load { ptr addrspace(1), ptr }, ptr %closure
  br label %b151
b151:
  %v162 = phi { ptr addrspace(1), ptr } [ %v156, %b55 ], [ %v156, %b149 ]
  %v163 = phi ptr addrspace(1) [ %v14, %b55 ], [ %v9, %b149 ]
  %v164 = phi i64 [ %v50, %b55 ], [ %v50, %b149 ]
  br label %b58
b56:
  %v165 = xor i64 %v3, %v15
  %v166 = add i64 %v37, %p1
  store i64 %v50, ptr %tagged.local
  call void @collect()
  %v168 = call ptr addrspace(1) @make(i64 %v15, ptr addrspace(1) %p0) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %v9, ptr addrspace(1) %v13, ptr addrspace(1) %v51) ]
  %v169 = load i64, ptr %tagged.local
  br i1 %v7, label %b172, label %b173
b172:
  %v175 = getelementptr %node, ptr addrspace(1) %v168, i64 0, i32 1, i64 3
  %v176 = ptrtoint ptr addrspace(1) %v168 to i64
  %v177 = ptrtoint ptr addrspace(1) %v175 to i64
  %v178 = sub i64 %v177, %v176
  %v179 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v180 = getelementptr ptr, ptr %v179, i64 1
  %v182 = load ptr, ptr %v180
  %v181 = select i1 %v7, ptr %v182, ptr @reentered
  %v184 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %v52, ptr %v181)
  br label %b174
b173:
  %v187 = getelementptr i8, ptr addrspace(1) %v14, i64 40
  %v185 = addrspacecast ptr addrspace(1) %v187 to ptr
  %v186 = load i64, ptr %v185
  %v188 = call ptr addrspace(1) @make(i64 %v3, ptr addrspace(1) %v168) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %v52, ptr addrspace(1) %v51) ]
  %v189 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v190 = getelementptr ptr, ptr %v189, i64 0
  %v192 = load ptr, ptr %v190
  %v191 = select i1 %v7, ptr %v192, ptr @listed
  %v194 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %v51, ptr %v191)
  br label %b174
b174:
  %v195 = phi { ptr addrspace(1), ptr } [ %v184, %b172 ], [ %v194, %b173 ]
  %v196 = icmp eq ptr addrspace(1) %v9, null
  %v197 = select i1 %v196, ptr addrspace(1) %p0, ptr addrspace(1) %v9
  %v199 = getelementptr %node, ptr addrspace(1) %v197, i64 0, i32 1, i64 0
  %v198 = load i64, ptr addrspace(1) %v199
  br label %b58
b58:
  %v200 = phi i64 [ %v50, %b41 ], [ %v50, %b76 ], [ %v164, %b151 ], [ %v50, %b174 ]
  %v201 = phi i64 [ %v47, %b41 ], [ %v59, %b76 ], [ %p1, %b151 ], [ %v165, %b174 ]
  %v202 = phi ptr addrspace(1) [ %v51, %b41 ], [ %v13, %b76 ], [ %v52, %b151 ], [ %v14, %b174 ]
  %v203 = icmp eq ptr addrspace(1) %v9, null
  %v204 = select i1 %v203, ptr addrspace(1) %v51, ptr addrspace(1) %v9
  %v206 = getelementptr i8, ptr addrspace(1) %v204, i64 48
  %v205 = load i64, ptr addrspace(1) %v206
  %v207 = and i64 %p1, 3
  %v208 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v207, i32 0
  %v209 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v207, i32 1
  br label %b221
b221:
  %v214 = phi i64 [ 0, %b58 ], [ %v215, %b224 ]
  %v218 = phi i64 [ 0, %b58 ], [ %v217, %b224 ]
  %v210 = load i64, ptr %v208
  %v211 = icmp eq i64 %v210, 1
  br i1 %v211, label %b222, label %b223
b222:
  %v212 = load ptr addrspace(1), ptr %v209
  call void @collect()
  %v220 = getelementptr i8, ptr addrspace(1) %v212, i64 24
  %v219 = load i64, ptr addrspace(1) %v220
  br label %b224
b223:
  %v213 = load i64, ptr %v209
  br label %b224
b224:
  %v226 = phi i64 [ %v219, %b222 ], [ %v213, %b223 ]
  %v217 = add i64 %v218, %v226
  %v215 = add i64 %v214, 1
  %v216 = icmp uge i64 %v215, 2
  br i1 %v216, label %b225, label %b221
b225:
  %v227 = call ptr addrspace(1) @make(i64 %v48, ptr addrspace(1) %v13)
  %v228 = icmp eq ptr addrspace(1) %v9, null
  %v229 = select i1 %v228, ptr addrspace(1) %v227, ptr addrspace(1) %v9
  %v230 = getelementptr %node, ptr addrspace(1) %v229, i64 0, i32 1, i64 0
  %v231 = load i64, ptr addrspace(1) %v230
  %v232 = load i64, ptr %sum
  %v233 = mul i64 %v232, 31
  %v234 = xor i64 %v233, %v231
  store i64 %v234, ptr %sum
  %v235 = load i64, ptr %sum
  %v236 = mul i64 %v235, 31
  %v237 = xor i64 %v236, %v205
  store i64 %v237, ptr %sum
  %v238 = load i64, ptr %sum
  %v239 = mul i64 %v238, 31
  %v240 = xor i64 %v239, %v37
  store i64 %v240, ptr %sum
  %v243 = getelementptr [3 x ptr], ptr @code, i64 0, i64 1
  %v246 = icmp slt i64 %p1, 911
  %v244 = getelementptr ptr, ptr %v243, i64 1
  %v247 = load ptr, ptr %v244
  %v245 = select i1 %v246, ptr %v247, ptr @reentered
  %v249 = call { ptr addrspace(1), ptr } @closure(ptr addrspace(1) %v227, ptr %v245)
  %v241 = extractvalue { ptr addrspace(1), ptr } %v249, 0
  %v242 = extractvalue { ptr addrspace(1), ptr } %v249, 1
  %v250 = musttail call i64 %v242(ptr addrspace(1) %v241, i64 466)
  ret i64 %v250
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
  %v0 = call ptr addrspace(1) @allocate(i64 96, i64 3)
  %v1 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  store ptr addrspace(1) %v0, ptr addrspace(1) %v0
  store i64 %n, ptr addrspace(1) %v1
  store i64 23, ptr @fuel
  %v2 = getelementptr [3 x ptr], ptr @code, i64 0, i64 0
  %v3 = getelementptr ptr, ptr %v2, i64 0
  %v4 = load ptr, ptr %v3
  %v5 = call ptr addrspace(1) %v4(ptr addrspace(1) %v0) [ "deopt"(i32 20773, i32 2562, ptr addrspace(1) %first, ptr addrspace(1) %v0) ]
  %v6 = icmp eq ptr addrspace(1) %v5, null
  %v7 = select i1 %v6, ptr addrspace(1) %v0, ptr addrspace(1) %v5
  %v8 = getelementptr %node, ptr addrspace(1) %v7, i64 0, i32 1, i64 0
  %v9 = load i64, ptr addrspace(1) %v8
  %v10 = load i64, ptr %sum
  %v11 = mul i64 %v10, 31
  %v12 = xor i64 %v11, %v9
  store i64 %v12, ptr %sum
  %v13 = icmp eq ptr addrspace(1) %v5, null
  %v14 = select i1 %v13, ptr addrspace(1) %v0, ptr addrspace(1) %v5
  %v15 = getelementptr i8, ptr addrspace(1) %v14, i64 24
  %v16 = load i64, ptr addrspace(1) %v15
  %v17 = load i64, ptr %sum
  %v18 = mul i64 %v17, 31
  %v19 = xor i64 %v18, %v16
  store i64 %v19, ptr %sum
  %v20 = getelementptr i8, ptr addrspace(1) %v14, i64 24
  %v21 = load i64, ptr addrspace(1) %v20
  %v22 = load i64, ptr %sum
  %v23 = mul i64 %v22, 31
  %v24 = xor i64 %v23, %v21
  store i64 %v24, ptr %sum
  %v25 = getelementptr %node, ptr addrspace(1) %v7, i64 0, i32 1, i64 0
  %v26 = load i64, ptr addrspace(1) %v25
  %v27 = load i64, ptr %sum
  %v28 = mul i64 %v27, 31
  %v29 = xor i64 %v28, %v26
  store i64 %v29, ptr %sum
  store i64 15, ptr @fuel
  %v30 = call i64 @listed(ptr addrspace(1) %v0, i64 %n)
  %v31 = load i64, ptr %sum
  %v32 = mul i64 %v31, 31
  %v33 = xor i64 %v32, %v30
  store i64 %v33, ptr %sum
  %v34 = load i64, ptr %sum
  %v35 = mul i64 %v34, 31
  %v36 = xor i64 %v35, %n
  store i64 %v36, ptr %sum
  %v37 = getelementptr i8, ptr addrspace(1) %v7, i64 24
  %v38 = load i64, ptr addrspace(1) %v37
  %v39 = load i64, ptr %sum
  %v40 = mul i64 %v39, 31
  %v41 = xor i64 %v40, %v38
  store i64 %v41, ptr %sum
  %v42 = getelementptr i8, ptr addrspace(1) %first, i64 24
  %v43 = load i64, ptr addrspace(1) %v42
  %v44 = load i64, ptr %sum
  %v45 = mul i64 %v44, 31
  %v46 = xor i64 %v45, %v43
  store i64 %v46, ptr %sum
  store i64 12, ptr @fuel
  %v47 = call i64 @reentered(ptr addrspace(1) %v7, i64 %v30)
  %v48 = load i64, ptr %sum
  %v49 = mul i64 %v48, 31
  %v50 = xor i64 %v49, %v47
  store i64 %v50, ptr %sum
  %v51 = and i64 %n, 3
  %v52 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v51, i32 0
  %v53 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v51, i32 1
  br label %b65
b65:
  %v58 = phi i64 [ 0, %entry ], [ %v59, %b68 ]
  %v62 = phi i64 [ 0, %entry ], [ %v61, %b68 ]
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
  %v60 = icmp uge i64 %v59, 3
  br i1 %v60, label %b69, label %b65
b69:
  %v71 = and i64 %v30, 3
  %v72 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v71, i32 1
  %v73 = getelementptr [4 x { i64, i64 }], ptr @united, i64 0, i64 %v71, i32 0
  store ptr addrspace(1) %first, ptr %v72
  store i64 1, ptr %v73
  %v74 = load i64, ptr %sum
  %v75 = mul i64 %v74, 31
  %v76 = xor i64 %v75, %n
  store i64 %v76, ptr %sum
  %v77 = getelementptr i8, ptr addrspace(1) %first, i64 24
  %v78 = load i64, ptr addrspace(1) %v77
  %v79 = load i64, ptr %sum
  %v80 = mul i64 %v79, 31
  %v81 = xor i64 %v80, %v78
  store i64 %v81, ptr %sum
  %v82 = getelementptr %node, ptr addrspace(1) %first, i64 0, i32 1, i64 0
  %v83 = load i64, ptr addrspace(1) %v82
  %v84 = load i64, ptr %sum
  %v85 = mul i64 %v84, 31
  %v86 = xor i64 %v85, %v83
  store i64 %v86, ptr %sum
  call void @keep(i64 0, ptr addrspace(1) %v7)
  call void @keep(i64 1, ptr addrspace(1) %v0)
  %v87 = load i64, ptr %sum
  ret i64 %v87
}

!0 = !{}
!1 = !{i64 88}
!2 = !{!"branch_weights", i32 1, i32 2000}
!3 = !{!5, !5, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!"reference", !7, i64 0}
!6 = !{!"word", !7, i64 0}
!7 = !{!"heap"}
