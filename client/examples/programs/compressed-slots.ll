; Compressed references in slots, scopes, types; cast beside pins, tags and deoptimisation values.
; run: 5 = 10024474
; options: spaces=2:32:0:heap_base,3:32:3:heap_base
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare i64 @observe()
declare void @llvm.gc.declare(ptr, ptr)
declare void @llvm.gc.undeclare(ptr)
declare void @llvm.gc.value.p2(ptr addrspace(2), ptr)
declare void @llvm.gc.value.sl_p2i64s(  { ptr addrspace(2), i64 }, ptr)
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}
define internal ptr addrspace(2) @box(i64 %v) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 4294967296)
  %f = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %v, ptr addrspace(1) %f
  %s = addrspacecast ptr addrspace(1) %o to ptr addrspace(2)
  ret ptr addrspace(2) %s
}
define internal i64 @get(ptr addrspace(2) %s) noinline gc "statepoint-example" {
  call void @collect()
  %f = getelementptr i8, ptr addrspace(2) %s, i64 8
  %v = load i64, ptr addrspace(2) %f
  ret i64 %v
}
define internal i64 @regs(i64 %n) noinline gc "statepoint-example" {
entry:
  %v = alloca [8 x ptr addrspace(2)], align 16
  %tmp = alloca { i32, ptr addrspace(2), [2 x { ptr addrspace(2), i32 }] }
  store [8 x ptr addrspace(2)] zeroinitializer, ptr %v
  %a = call ptr addrspace(2) @box(i64 11)
  store ptr addrspace(2) %a, ptr %v
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %i1, %loop ]
  %i1 = add i64 %i, 1
  %p = getelementptr [8 x ptr addrspace(2)], ptr %v, i64 0, i64 %i
  %k = mul i64 %i, 5
  %b = call ptr addrspace(2) @box(i64 %k)
  store ptr addrspace(2) %b, ptr %p
  %q = getelementptr [8 x ptr addrspace(2)], ptr %v, i64 0, i64 %i
  %m = icmp ult i64 %i1, %n
  br i1 %m, label %loop, label %out
out:
  %t0 = getelementptr { i32, ptr addrspace(2), [2 x { ptr addrspace(2), i32 }] }, ptr %tmp, i64 0, i32 2, i64 1, i32 0
  %p2 = getelementptr [8 x ptr addrspace(2)], ptr %v, i64 0, i64 2
  %two = load ptr addrspace(2), ptr %p2
  store ptr addrspace(2) %two, ptr %t0
  store ptr addrspace(2) null, ptr %p2
  call void @collect()
  %two2 = load ptr addrspace(2), ptr %t0
  %g = call i64 @get(ptr addrspace(2) %two2)
  %last = sub i64 %n, 1
  %pl = getelementptr [8 x ptr addrspace(2)], ptr %v, i64 0, i64 %last
  %l = load ptr addrspace(2), ptr %pl
  %g2 = call i64 @get(ptr addrspace(2) %l)
  %f = load ptr addrspace(2), ptr %v
  %g3 = call i64 @get(ptr addrspace(2) %f)
  %s = mul i64 %g, 1000
  %s1 = add i64 %s, %g2
  %s2 = mul i64 %s1, 1000
  %s3 = add i64 %s2, %g3
  ret i64 %s3
}
define internal i64 @scoped(i64 %n) noinline gc "statepoint-example" {
  %s = alloca ptr addrspace(2)
  %w = alloca { ptr addrspace(1), ptr addrspace(2), ptr addrspace(3) }, !smd.type !0
  %a = call ptr addrspace(2) @box(i64 %n)
  call void @llvm.gc.declare(ptr %s, ptr inttoptr (i64 4 to ptr))
  store ptr addrspace(2) %a, ptr %s
  call void @collect()
  %b = load ptr addrspace(2), ptr %s
  call void @llvm.gc.undeclare(ptr %s)
  call void @llvm.gc.value.p2(ptr addrspace(2) %b, ptr null)
  call void @collect()
  %bo = addrspacecast ptr addrspace(2) %b to ptr addrspace(1)
  %b3 = addrspacecast ptr addrspace(1) %bo to ptr addrspace(3)
  store ptr addrspace(1) %bo, ptr %w
  %w1 = getelementptr { ptr addrspace(1), ptr addrspace(2), ptr addrspace(3) }, ptr %w, i64 0, i32 1
  store ptr addrspace(2) %b, ptr %w1
  %w2 = getelementptr { ptr addrspace(1), ptr addrspace(2), ptr addrspace(3) }, ptr %w, i64 0, i32 2
  store ptr addrspace(3) %b3, ptr %w2
  call void @collect() [ "gc-type"(ptr addrspace(2) %b, i64 9) ]
  %x = load ptr addrspace(3), ptr %w2
  %xo = addrspacecast ptr addrspace(3) %x to ptr addrspace(1)
  %x2 = addrspacecast ptr addrspace(1) %xo to ptr addrspace(2)
  %g1 = call i64 @get(ptr addrspace(2) %x2)
  %g2 = call i64 @get(ptr addrspace(2) %b)
  %y = load ptr addrspace(2), ptr %w1
  %same = icmp eq ptr addrspace(2) %y, %b
  %z = zext i1 %same to i64
  %q = add i64 %g1, %g2
  %r = add i64 %q, %z
  ret i64 %r
}
!0 = !{i64 3}
define internal i64 @pinned(i64 %n) noinline gc "statepoint-example" {
  %a = call ptr addrspace(2) @box(i64 %n)
  %o = addrspacecast ptr addrspace(2) %a to ptr addrspace(1)
  %raw = call ptr @smd.gc.pin(ptr addrspace(1) %o)
  %rf = getelementptr i8, ptr %raw, i64 8
  call void @collect()
  %v = load i64, ptr %rf
  %v1 = add i64 %v, 40
  store i64 %v1, ptr %rf
  call void @smd.gc.unpin(ptr %raw)
  %g = call i64 @get(ptr addrspace(2) %a)
  %f2 = getelementptr i8, ptr addrspace(2) %a, i64 8
  %g2 = load i64, ptr addrspace(2) %f2
  %r = add i64 %g, %g2
  ret i64 %r
}
define internal i64 @tagged(i64 %n) noinline gc "statepoint-example" {
  %a = call ptr addrspace(2) @box(i64 %n)
  %o = addrspacecast ptr addrspace(2) %a to ptr addrspace(1)
  %t = call i64 @smd.gc.to_int(ptr addrspace(1) %o)
  %t1 = or i64 %t, 3
  call void @collect()
  %o2 = call ptr addrspace(1) @smd.gc.from_int(i64 %t1)
  %a2 = addrspacecast ptr addrspace(1) %o2 to ptr addrspace(2)
  call void @collect()
  %same = icmp eq ptr addrspace(2) %a2, %a
  %z = zext i1 %same to i64
  %g = call i64 @get(ptr addrspace(2) %a2)
  %r = add i64 %g, %z
  ret i64 %r
}
define internal i64 @deopted(i64 %n) noinline gc "statepoint-example" {
  %a = call ptr addrspace(2) @box(i64 %n)
  %o = addrspacecast ptr addrspace(2) %a to ptr addrspace(1)
  %d = call i64 @observe() [ "deopt"(i64 5, i64 %n) ]
  call void @collect() [ "deopt"(ptr addrspace(1) %o, i32 6) ]
  %g = call i64 @get(ptr addrspace(2) %a)
  %f = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = load i64, ptr addrspace(1) %f
  %r = add i64 %g, %d
  %r1 = add i64 %r, %v
  ret i64 %r1
}
define internal i64 @choose(i64 %n, ptr addrspace(2) %a, ptr addrspace(2) %b, ptr addrspace(3) %c) noinline gc "statepoint-example" {
entry:
  switch i64 %n, label %d [ i64 0, label %x
                            i64 1, label %y
                            i64 2, label %y ]
x:
  %xf = freeze ptr addrspace(2) %a
  br label %j
y:
  call void @collect()
  br label %j
d:
  %co = addrspacecast ptr addrspace(3) %c to ptr addrspace(1)
  %c2 = addrspacecast ptr addrspace(1) %co to ptr addrspace(2)
  br label %j
j:
  %p = phi ptr addrspace(2) [ %xf, %x ], [ %b, %y ], [ %c2, %d ]
  %pp = phi <2 x ptr addrspace(2)> [ zeroinitializer, %x ], [ zeroinitializer, %y ], [ zeroinitializer, %d ]
  call void @collect()
  %n1 = and i64 %n, 1
%v1 = insertelement <2 x ptr addrspace(2)> %pp, ptr addrspace(2) %p, i64 %n1
  call void @collect()
  %e = extractelement <2 x ptr addrspace(2)> %v1, i64 %n1
  %g = call i64 @get(ptr addrspace(2) %e)
  ret i64 %g
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %r = call i64 @regs(i64 %n)
  %s = call i64 @scoped(i64 %n)
  %p = call i64 @pinned(i64 %n)
  %t = call i64 @tagged(i64 %n)
  %d = call i64 @deopted(i64 %n)
  %a = call ptr addrspace(2) @box(i64 100)
  %b = call ptr addrspace(2) @box(i64 200)
  %c = call ptr addrspace(2) @box(i64 300)
  %co = addrspacecast ptr addrspace(2) %c to ptr addrspace(1)
  %c3 = addrspacecast ptr addrspace(1) %co to ptr addrspace(3)
  %c0 = call i64 @choose(i64 0, ptr addrspace(2) %a, ptr addrspace(2) %b, ptr addrspace(3) %c3)
  %c1 = call i64 @choose(i64 1, ptr addrspace(2) %a, ptr addrspace(2) %b, ptr addrspace(3) %c3)
  %c2 = call i64 @choose(i64 %n, ptr addrspace(2) %a, ptr addrspace(2) %b, ptr addrspace(3) %c3)
  %m1 = mul i64 %c1, 3
  %m2 = mul i64 %c2, 7
  %x1 = add i64 %r, %s
  %x2 = add i64 %p, %t
  %x3 = add i64 %d, %c0
  %x4 = add i64 %m1, %m2
  %x5 = mul i64 %x2, 17
  %x6 = add i64 %x1, %x5
  %x7 = add i64 %x6, %x3
  %x8 = add i64 %x7, %x4
  ret i64 %x8
}
