; Compressed references in vectors and arrays, some of them undefined, behind invokes, and copied as bytes.
; run: 6 = 49528331052
; options: spaces=2:32:0:heap_base
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @throw_value(ptr addrspace(1))
declare ptr addrspace(1) @caught()
declare i32 @handle_all(...)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}
%obj = type { ptr addrspace(2), ptr addrspace(2), i64 }
define internal ptr addrspace(2) @mk(i64 %v, ptr addrspace(2) %l, ptr addrspace(2) %r) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 8589934592)
  %s = addrspacecast ptr addrspace(1) %o to ptr addrspace(2)
  store ptr addrspace(2) %l, ptr addrspace(2) %s
  %f = getelementptr inbounds %obj, ptr addrspace(2) %s, i64 0, i32 1
  store ptr addrspace(2) %r, ptr addrspace(2) %f
  %g = getelementptr inbounds %obj, ptr addrspace(2) %s, i64 0, i32 2
  store i64 %v, ptr addrspace(2) %g
  ret ptr addrspace(2) %s
}
define internal ptr addrspace(2) @tree(i64 %d, i64 %v) noinline gc "statepoint-example" {
entry:
  %z = icmp eq i64 %d, 0
  br i1 %z, label %leaf, label %node
leaf:
  ret ptr addrspace(2) null
node:
  %d1 = sub i64 %d, 1
  %v2 = shl i64 %v, 1
  %v3 = or i64 %v2, 1
  %l = call ptr addrspace(2) @tree(i64 %d1, i64 %v2)
  %r = call ptr addrspace(2) @tree(i64 %d1, i64 %v3)
  %t = tail call ptr addrspace(2) @mk(i64 %v, ptr addrspace(2) %l, ptr addrspace(2) %r)
  ret ptr addrspace(2) %t
}
define internal i64 @walk(ptr addrspace(2) %t) noinline gc "statepoint-example" {
entry:
  %z = icmp eq ptr addrspace(2) %t, null
  br i1 %z, label %leaf, label %node
leaf:
  ret i64 1
node:
  %l = load ptr addrspace(2), ptr addrspace(2) %t
  %f = getelementptr inbounds %obj, ptr addrspace(2) %t, i64 0, i32 1
  %a = call i64 @walk(ptr addrspace(2) %l)
  %r = load ptr addrspace(2), ptr addrspace(2) %f
  %b = call i64 @walk(ptr addrspace(2) %r)
  %g = getelementptr inbounds %obj, ptr addrspace(2) %t, i64 0, i32 2
  %v = load i64, ptr addrspace(2) %g
  %s = mul i64 %a, 3
  %u = add i64 %s, %b
  %w = add i64 %u, %v
  ret i64 %w
}
; <2 x> loaded, swapped, stored
define internal void @mirror(ptr addrspace(2) %t) noinline gc "statepoint-example" {
entry:
  %z = icmp eq ptr addrspace(2) %t, null
  br i1 %z, label %leaf, label %node
leaf:
  ret void
node:
  %lr = load <2 x ptr addrspace(2)>, ptr addrspace(2) %t, align 4
  %l = extractelement <2 x ptr addrspace(2)> %lr, i64 0
  call void @mirror(ptr addrspace(2) %l)
  %rl = shufflevector <2 x ptr addrspace(2)> %lr, <2 x ptr addrspace(2)> poison, <2 x i32> <i32 1, i32 0>
  %r = extractelement <2 x ptr addrspace(2)> %rl, i64 0
  call void @mirror(ptr addrspace(2) %r)
  store <2 x ptr addrspace(2)> %rl, ptr addrspace(2) %t, align 4
  ret void
}
define internal [3 x ptr addrspace(2)] @three(ptr addrspace(2) %t) noinline gc "statepoint-example" {
  call void @collect()
  %lr = load [2 x ptr addrspace(2)], ptr addrspace(2) %t
  call void @collect()
  %l = extractvalue [2 x ptr addrspace(2)] %lr, 0
  %r = extractvalue [2 x ptr addrspace(2)] %lr, 1
  %a = insertvalue [3 x ptr addrspace(2)] undef, ptr addrspace(2) %l, 0
  %b = insertvalue [3 x ptr addrspace(2)] %a, ptr addrspace(2) %t, 1
  call void @collect()
  %c = insertvalue [3 x ptr addrspace(2)] %b, ptr addrspace(2) %r, 2
  ret [3 x ptr addrspace(2)] %c
}
define internal ptr addrspace(2) @thrower(ptr addrspace(2) %t, i1 %c) noinline gc "statepoint-example" {
  br i1 %c, label %t1, label %ok
t1:
  %o = addrspacecast ptr addrspace(2) %t to ptr addrspace(1)
  call void @throw_value(ptr addrspace(1) %o)
  unreachable
ok:
  call void @collect()
  ret ptr addrspace(2) %t
}
define internal i64 @inv(ptr addrspace(2) %t, ptr addrspace(2) %u, i1 %c) noinline gc "statepoint-example" personality ptr @handle_all {
entry:
  %r = invoke ptr addrspace(2) @thrower(ptr addrspace(2) %t, i1 %c) to label %go unwind label %pad
go:
  %p = phi ptr addrspace(2) [ %r, %entry ]
  %arr = invoke [3 x ptr addrspace(2)] @three(ptr addrspace(2) %p) to label %join unwind label %pad
pad:
  %keep = phi ptr addrspace(2) [ %u, %entry ], [ %p, %go ]
  %l = landingpad token cleanup
  %e = call ptr addrspace(1) @caught()
  %es = addrspacecast ptr addrspace(1) %e to ptr addrspace(2)
  call void @collect()
  %x1 = insertvalue [3 x ptr addrspace(2)] zeroinitializer, ptr addrspace(2) %es, 0
  %x2 = insertvalue [3 x ptr addrspace(2)] %x1, ptr addrspace(2) %keep, 2
  br label %join
join:
  %all = phi [3 x ptr addrspace(2)] [ %arr, %go ], [ %x2, %pad ]
  call void @collect()
  %a = extractvalue [3 x ptr addrspace(2)] %all, 0
  %b = extractvalue [3 x ptr addrspace(2)] %all, 1
  %d = extractvalue [3 x ptr addrspace(2)] %all, 2
  %wa = call i64 @walk(ptr addrspace(2) %a)
  %wb = call i64 @walk(ptr addrspace(2) %b)
  %wd = call i64 @walk(ptr addrspace(2) %d)
  %s = mul i64 %wa, 5
  %s2 = add i64 %s, %wb
  %s3 = mul i64 %s2, 5
  %s4 = add i64 %s3, %wd
  ret i64 %s4
}
define internal i64 @copy(ptr addrspace(2) %t, ptr addrspace(2) %u) noinline gc "statepoint-example" {
  %arr = call ptr addrspace(1) @allocate(i64 32, i64 34359738368)
  %e0 = getelementptr i8, ptr addrspace(1) %arr, i64 0
  %src = addrspacecast ptr addrspace(2) %t to ptr addrspace(1)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %e0, ptr addrspace(1) %src, i64 8, i1 false)
  %e2 = getelementptr i8, ptr addrspace(1) %arr, i64 8
  %src2 = addrspacecast ptr addrspace(2) %u to ptr addrspace(1)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %e2, ptr addrspace(1) %src2, i64 8, i1 false)
  call void @collect()
  %e1 = getelementptr i8, ptr addrspace(1) %arr, i64 4
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) %e1, ptr addrspace(1) %arr, i64 16, i1 false)
  call void @collect()
  %v = load <4 x ptr addrspace(2)>, ptr addrspace(1) %e1, align 4
  call void @collect()
  %x = extractelement <4 x ptr addrspace(2)> %v, i64 2
  %w = call i64 @walk(ptr addrspace(2) %x)
  %y = extractelement <4 x ptr addrspace(2)> %v, i64 1
  %w2 = call i64 @walk(ptr addrspace(2) %y)
  %isn = icmp eq <4 x ptr addrspace(2)> %v, zeroinitializer
  %bits = bitcast <4 x i1> %isn to i4
  %bz = zext i4 %bits to i64
  %s = mul i64 %w, 7
  %s2 = add i64 %s, %w2
  %s3 = add i64 %s2, %bz
  ret i64 %s3
}
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %t = call ptr addrspace(2) @tree(i64 %n, i64 1)
  %a = call i64 @walk(ptr addrspace(2) %t)
  call void @mirror(ptr addrspace(2) %t)
  %b = call i64 @walk(ptr addrspace(2) %t)
  %u = call ptr addrspace(2) @tree(i64 3, i64 9)
  %i0 = call i64 @inv(ptr addrspace(2) %t, ptr addrspace(2) %u, i1 false)
  %i1 = call i64 @inv(ptr addrspace(2) %u, ptr addrspace(2) %t, i1 true)
  %c = call i64 @copy(ptr addrspace(2) %t, ptr addrspace(2) %u)
  %s1 = mul i64 %a, 31
  %s2 = add i64 %s1, %b
  %s3 = mul i64 %s2, 31
  %s4 = add i64 %s3, %i0
  %s5 = mul i64 %s4, 31
  %s6 = add i64 %s5, %i1
  %s7 = mul i64 %s6, 31
  %s8 = add i64 %s7, %c
  ret i64 %s8
}
