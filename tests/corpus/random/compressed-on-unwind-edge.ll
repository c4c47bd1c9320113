; random: target=x86_64-unknown-linux-gnu opt=0 poll=call:collect frame_pointer=none counted_loop_bits=0 poll_interval=9 elide=leaf
; moving: heap: a root is outside the heap, or was moved before: 0x7f36fd200050; exit status 3
; A compressed reference that a phi takes from behind an invoke was loaded from its slot before that, and old on its edge.
%node = type { [3 x ptr addrspace(1)], [8 x i64] }

@fuel = global i64 0

declare ptr addrspace(1) @allocate(i64, i64)

declare void @collect()

declare void @throw_value(ptr addrspace(1))

declare i64 @observe(i64)

declare ptr addrspace(1) @caught() #0

; Function Attrs: nounwind
declare void @note(i64) #1

; Function Attrs: nounwind
declare void @keep(i64, ptr addrspace(1)) #1

declare i32 @handle_catches(...)

declare i64 @llvm.experimental.deoptimize.i64(...)

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p1.i64(ptr addrspace(1) nocapture writeonly, i8, i64, i1 immarg) #2

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1) nocapture writeonly, ptr addrspace(1) nocapture readonly, i64, i1 immarg) #3

declare ptr @smd.gc.pin(ptr addrspace(1))

declare void @smd.gc.unpin(ptr)

define ptr addrspace(1) @make(i64 %word, ptr addrspace(1) %next) gc "statepoint-example" {
  %object = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %object, ptr addrspace(1) %object, align 8
  %field = getelementptr i8, ptr addrspace(1) %object, i64 8
  store ptr addrspace(1) %next, ptr addrspace(1) %field, align 8
  %at = getelementptr i8, ptr addrspace(1) %object, i64 24
  store i64 %word, ptr addrspace(1) %at, align 4
  ret ptr addrspace(1) %object
}

; Function Attrs: noinline
define i64 @f0(ptr addrspace(1) %p0, ptr addrspace(1) %p1, i64 %p2, i64 %p3, ptr addrspace(1) %p4) #4 gc "statepoint-example" personality ptr @handle_catches {
entry:
  %sum = alloca i64, align 8
  store i64 0, ptr %sum, align 4
  %v0 = load i64, ptr @fuel, align 4
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel, align 4
  %v2 = icmp slt i64 %v0, 1
  br i1 %v2, label %dry, label %run

dry:                                              ; preds = %entry
  ret i64 41

run:                                              ; preds = %entry
  %v3 = addrspacecast ptr addrspace(1) %p0 to ptr addrspace(3)
  call void @collect()
  %v6 = call ptr addrspace(1) @make(i64 %p2, ptr addrspace(1) %p4) [ "deopt"(i32 20773, i32 8195, i64 %p2, i64 %p2, ptr addrspace(1) %p1) ]
  %v4 = getelementptr i8, ptr addrspace(3) %v3, i64 48
  %v5 = load i64, ptr addrspace(3) %v4, align 4
  %v7 = getelementptr i8, ptr addrspace(1) %v6, i64 24
  %v8 = load i64, ptr addrspace(1) %v7, align 4
  %v9 = load ptr addrspace(1), ptr addrspace(1) %p0, align 8
  %v11 = icmp ult i64 %v8, %p2
  %v12 = select i1 %v11, ptr addrspace(1) %v7, ptr addrspace(1) %v7
  %v13 = icmp eq ptr addrspace(1) %p4, null
  %v14 = select i1 %v13, ptr addrspace(1) %v6, ptr addrspace(1) %p4
  %v16 = getelementptr i8, ptr addrspace(1) %v14, i64 72
  %v15 = load i64, ptr addrspace(1) %v16, align 4
  %v17 = call ptr addrspace(1) @make(i64 %v15, ptr addrspace(1) %v9) [ "deopt"(i32 20773, i32 2563, ptr addrspace(1) %v9, ptr addrspace(1) %p0, i64 83) ]
  %v20 = icmp eq ptr addrspace(1) %v6, null
  %v21 = select i1 %v20, ptr addrspace(1) %v17, ptr addrspace(1) %v6
  %v23 = getelementptr %node, ptr addrspace(1) %v21, i64 0, i32 1, i64 0
  %v22 = load i64, ptr addrspace(1) %v23, align 4
  %v19 = select i1 %v20, i64 1, i64 %v22
  %v24 = mul i64 0, 31
  %v25 = add i64 %v24, %v19
  %v27 = mul i64 %v25, 31
  %v28 = add i64 %v27, %v5
  %v30 = mul i64 %v28, 31
  %v31 = add i64 %v30, %p2
  %v33 = icmp eq ptr addrspace(1) %p4, null
  %v34 = select i1 %v33, ptr addrspace(1) %v9, ptr addrspace(1) %p4
  %v36 = getelementptr %node, ptr addrspace(1) %v34, i64 0, i32 1, i64 0
  %v35 = load i64, ptr addrspace(1) %v36, align 4
  %v32 = select i1 %v33, i64 1, i64 %v35
  %v37 = mul i64 %v31, 31
  %v38 = add i64 %v37, %v32
  %v40 = icmp eq ptr addrspace(1) %p4, null
  %v41 = select i1 %v40, ptr addrspace(1) %v6, ptr addrspace(1) %p4
  %v43 = getelementptr %node, ptr addrspace(1) %v41, i64 0, i32 1, i64 0
  %v42 = load i64, ptr addrspace(1) %v43, align 4
  %v39 = select i1 %v40, i64 1, i64 %v42
  %v44 = mul i64 %v38, 31
  %v45 = add i64 %v44, %v39
  %v18 = call i64 @observe(i64 %v45) [ "deopt"(i32 20773, i32 164357, ptr addrspace(1) %v6, i64 %v5, i64 %p2, ptr addrspace(1) %p4, ptr addrspace(1) %p4) ]
  %v46 = call i64 @reentered(ptr addrspace(1) %v17, i64 %p3) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %v17, ptr addrspace(1) %p0, ptr addrspace(1) %p0) ]
  %v47 = load i64, ptr addrspace(1) %v7, align 4
  %v48 = icmp eq ptr addrspace(1) %p4, null
  %v49 = select i1 %v48, ptr addrspace(1) %v6, ptr addrspace(1) %p4
  %v50 = getelementptr i8, ptr addrspace(1) %v49, i64 56
  %v54 = load i64, ptr @fuel, align 4
  %v55 = sub i64 %v54, 1
  store i64 %v55, ptr @fuel, align 4
  %v56 = icmp slt i64 %v54, 1
  %v179 = addrspacecast ptr addrspace(3) %v3 to ptr addrspace(1)
  %v180 = getelementptr %node, ptr addrspace(1) %v179, i64 0, i32 1, i64 0
  %v181 = load i64, ptr addrspace(1) %v180, align 4
  %v182 = load i64, ptr %sum, align 4
  %v183 = mul i64 %v182, 31
  %v184 = xor i64 %v183, %v181
  store i64 %v184, ptr %sum, align 4
  %v185 = icmp eq ptr addrspace(1) %p4, null
  %v186 = select i1 %v185, ptr addrspace(1) %v49, ptr addrspace(1) %p4
  %v187 = getelementptr %node, ptr addrspace(1) %v186, i64 0, i32 1, i64 0
  %v188 = load i64, ptr addrspace(1) %v187, align 4
  %v189 = load i64, ptr %sum, align 4
  %v190 = mul i64 %v189, 31
  %v191 = xor i64 %v190, %v188
  store i64 %v191, ptr %sum, align 4
  %v192 = addrspacecast ptr addrspace(3) %v3 to ptr addrspace(1)
  %v193 = getelementptr i8, ptr addrspace(1) %v192, i64 24
  %v194 = load i64, ptr addrspace(1) %v193, align 4
  %v195 = load i64, ptr %sum, align 4
  %v196 = mul i64 %v195, 31
  %v197 = xor i64 %v196, %v194
  store i64 %v197, ptr %sum, align 4
  %v199 = load i64, ptr %sum, align 4
  call void @note(i64 %v199)
  %v201 = mul i64 0, 31
  %v202 = add i64 %v201, %p2
  %v204 = icmp eq ptr addrspace(1) %v186, null
  %v205 = select i1 %v204, ptr addrspace(1) %v9, ptr addrspace(1) %v186
  %v207 = getelementptr i8, ptr addrspace(1) %v205, i64 24
  %v206 = load i64, ptr addrspace(1) %v207, align 4
  %v203 = select i1 %v204, i64 1, i64 %v206
  %v208 = mul i64 %v202, 31
  %v209 = add i64 %v208, %v203
  %v211 = mul i64 %v209, 31
  %v212 = add i64 %v211, %v15
  %v214 = icmp eq ptr addrspace(1) %v9, null
  %v215 = select i1 %v214, ptr addrspace(1) %v9, ptr addrspace(1) %v9
  %v217 = getelementptr %node, ptr addrspace(1) %v215, i64 0, i32 1, i64 0
  %v216 = load i64, ptr addrspace(1) %v217, align 4
  %v213 = select i1 %v214, i64 1, i64 %v216
  %v218 = mul i64 %v212, 31
  %v219 = add i64 %v218, %v213
  %v221 = icmp eq ptr addrspace(1) %v49, null
  %v222 = select i1 %v221, ptr addrspace(1) %v6, ptr addrspace(1) %v49
  %v224 = getelementptr %node, ptr addrspace(1) %v222, i64 0, i32 1, i64 0
  %v223 = load i64, ptr addrspace(1) %v224, align 4
  %v220 = select i1 %v221, i64 1, i64 %v223
  %v225 = mul i64 %v219, 31
  %v226 = add i64 %v225, %v220
  %v198 = call i64 (...) @llvm.experimental.deoptimize.i64(i64 %v226, ptr addrspace(1) %v49) [ "deopt"(i32 20773, i32 165893, i64 %p2, ptr addrspace(1) %v186, i64 %v15, ptr addrspace(1) %v9, ptr addrspace(1) %v49) ]
  ret i64 %v198
}

; Function Attrs: noinline
define i64 @f1(ptr addrspace(1) %p0, i64 %p1, ptr addrspace(1) %p2) #4 gc "statepoint-example" personality ptr @handle_catches {
entry:
  %sum = alloca i64, align 8
  store i64 1, ptr %sum, align 4
  %v0 = load i64, ptr @fuel, align 4
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel, align 4
  %v2 = icmp slt i64 %v0, 1
  ret i64 0
}

define i64 @f2(ptr addrspace(1) %p0, ptr addrspace(1) %p1, ptr addrspace(1) %p2) gc "statepoint-example" personality ptr @handle_catches {
entry:
  %sum = alloca i64, align 8
  store i64 2, ptr %sum, align 4
  %v0 = load i64, ptr @fuel, align 4
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel, align 4
  %v2 = icmp slt i64 %v0, 1
  %v3 = addrspacecast ptr addrspace(1) %p2 to ptr addrspace(3)
  %v4 = icmp eq ptr addrspace(3) %v3, %v3
  call void @note(i64 83)
  %v9 = invoke i64 @f0(ptr addrspace(1) %p0, ptr addrspace(1) %p1, i64 502, i64 21845, ptr addrspace(1) %p0)
          to label %b5 unwind label %b7

b5:                                               ; preds = %entry
  %v10 = select i1 %v4, ptr addrspace(1) %p0, ptr addrspace(1) %p1
  %v11 = invoke i64 @f1(ptr addrspace(1) %p0, i64 %v9, ptr addrspace(1) %p2) [ "deopt"(i32 20773, i32 10755, ptr addrspace(1) %p1, ptr addrspace(1) %v10, ptr addrspace(1) %v10) ]
          to label %b6 unwind label %b7

b6:                                               ; preds = %b5
  ret i64 0

b7:                                               ; preds = %b5, %entry
  %v12 = phi ptr addrspace(3) [ %v3, %entry ], [ %v3, %b5 ]
  %v13 = landingpad { ptr, i32 }
          catch ptr null
  %v14 = call ptr addrspace(1) @caught()
  %v21 = icmp eq ptr addrspace(1) %p1, null
  %v22 = select i1 %v21, ptr addrspace(1) %p0, ptr addrspace(1) %p1
  %v23 = load ptr addrspace(1), ptr addrspace(1) %v22, align 8
  %v28 = call i64 @f2(ptr addrspace(1) %v14, ptr addrspace(1) %p0, ptr addrspace(1) %v22)
  %v29 = select i1 %v4, ptr addrspace(1) %p0, ptr addrspace(1) %v23
  %v30 = getelementptr i8, ptr addrspace(1) %v14, i64 24
  br label %b27

b27:                                              ; preds = %b7
  %v40 = phi ptr addrspace(1) [ %v30, %b7 ]
  %v41 = phi ptr addrspace(1) [ %v30, %b7 ]
  %v42 = phi ptr addrspace(3) [ %v12, %b7 ]
  %v45 = getelementptr i8, ptr addrspace(1) %v22, i64 16
  ret i64 0
}

; Function Attrs: nounwind
define i64 @listed(ptr addrspace(1) %p0, i64 %p1) #5 gc "statepoint-example" personality ptr @handle_catches {
entry:
  %sum = alloca i64, align 8
  store i64 3, ptr %sum, align 4
  %v0 = load i64, ptr @fuel, align 4
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel, align 4
  %v2 = icmp slt i64 %v0, 1
  ret i64 0
}

define i64 @reentered(ptr addrspace(1) %p0, i64 %p1) gc "statepoint-example" personality ptr @handle_catches {
entry:
  %sum = alloca i64, align 8
  store i64 4, ptr %sum, align 4
  %v0 = load i64, ptr @fuel, align 4
  %v1 = sub i64 %v0, 1
  store i64 %v1, ptr @fuel, align 4
  %v2 = icmp slt i64 %v0, 1
  ret i64 0
}

define i64 @program(i64 %n) gc "statepoint-example" personality ptr @handle_catches {
entry:
  %sum = alloca i64, align 8
  store i64 -1, ptr %sum, align 4
  %first = call ptr addrspace(1) @allocate(i64 88, i64 3)
  store ptr addrspace(1) %first, ptr addrspace(1) %first, align 8
  %v0 = call ptr addrspace(1) @allocate(i64 96, i64 3) [ "deopt"(i32 20773, i32 2, i64 %n, i64 %n) ]
  %v1 = getelementptr i8, ptr addrspace(1) %v0, i64 24
  store ptr addrspace(1) %first, ptr addrspace(1) %v0, align 8
  store i64 %n, ptr addrspace(1) %v1, align 4
  store i64 22, ptr @fuel, align 4
  %v6 = or i64 %n, %n
  %v8 = getelementptr %node, ptr addrspace(1) %v0, i64 0, i32 0, i64 2
  %v7 = load ptr addrspace(1), ptr addrspace(1) %v8, align 8
  %v9 = load i64, ptr %sum, align 4
  %v10 = mul i64 %v9, 31
  %v11 = xor i64 %v10, %v6
  store i64 %v11, ptr %sum, align 4
  %v12 = icmp eq ptr addrspace(1) %v7, null
  %v13 = select i1 %v12, ptr addrspace(1) %first, ptr addrspace(1) %v7
  %v14 = getelementptr i8, ptr addrspace(1) %v13, i64 48
  %v76 = alloca ptr addrspace(1), align 8
  store ptr addrspace(1) %first, ptr %v76, align 8
  %v83 = getelementptr i8, ptr addrspace(1) %first, i64 16
  %v82 = call i64 @reentered(ptr addrspace(1) %first, i64 %n) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v0) ]
  %v84 = load ptr addrspace(1), ptr addrspace(1) %v83, align 8
  %v85 = icmp eq ptr addrspace(1) %v84, null
  %v86 = select i1 %v85, ptr addrspace(1) %first, ptr addrspace(1) %v84
  %v87 = getelementptr %node, ptr addrspace(1) %v86, i64 0, i32 1, i64 0
  %v88 = load i64, ptr addrspace(1) %v87, align 4
  %v89 = load i64, ptr %sum, align 4
  %v90 = mul i64 %v89, 31
  %v91 = xor i64 %v90, %v88
  store i64 %v91, ptr %sum, align 4
  %v92 = invoke i64 @f2(ptr addrspace(1) %v0, ptr addrspace(1) %v0, ptr addrspace(1) %v86) [ "deopt"(i32 20773, i32 513, ptr addrspace(1) %v86) ]
          to label %b79 unwind label %b80

b79:                                              ; preds = %entry
  %v93 = addrspacecast ptr addrspace(1) %v86 to ptr addrspace(3)
  ret i64 0

b80:                                              ; preds = %entry
  %v95 = landingpad { ptr, i32 }
          catch ptr null
  %v96 = call ptr addrspace(1) @caught()
  %v98 = and i64 %n, 3
  %v97 = getelementptr i64, ptr addrspace(1) %v14, i64 %v98
  %v99 = call i64 @listed(ptr addrspace(1) %v96, i64 %n)
  %v100 = getelementptr i8, ptr addrspace(1) %v96, i64 24
  %v101 = load i64, ptr addrspace(1) %v100, align 4
  %v102 = load i64, ptr %sum, align 4
  %v103 = mul i64 %v102, 31
  %v104 = xor i64 %v103, %v101
  store i64 %v104, ptr %sum, align 4
  %v105 = addrspacecast ptr addrspace(1) %first to ptr addrspace(3)
  ret i64 0
}

; uselistorder directives
uselistorder ptr null, { 0, 2, 3, 4, 5, 6, 7, 1, 8, 9, 10, 11, 12, 13 }

attributes #0 = { "gc-leaf-function" }
attributes #1 = { nounwind "gc-leaf-function" }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { noinline }
attributes #5 = { nounwind }
