; Structs and vectors of compressed references that are joined where invokes unwind.
; run: 5 = 4192513
; options: spaces=2:32:0:heap_base,3:32:3:heap_base
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @throw_value(ptr addrspace(1))
declare ptr addrspace(1) @caught() "gc-leaf-function"
declare i32 @handle_all(...)
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
define internal i64 @val(ptr addrspace(2) %s) noinline gc "statepoint-example" {
  call void @collect()
  %n = icmp eq ptr addrspace(2) %s, null
  br i1 %n, label %no, label %yes
no:
  ret i64 0
yes:
  %f = getelementptr inbounds i8, ptr addrspace(2) %s, i64 8
  %v = load i64, ptr addrspace(2) %f
  ret i64 %v
}
define internal { ptr addrspace(2), i64, ptr addrspace(1) } @pair(ptr addrspace(2) %t, i1 %c) noinline gc "statepoint-example" {
  br i1 %c, label %t1, label %ok
t1:
  %o = addrspacecast ptr addrspace(2) %t to ptr addrspace(1)
  call void @throw_value(ptr addrspace(1) %o)
  unreachable
ok:
  %n = call ptr addrspace(2) @box(i64 70)
  %a = insertvalue { ptr addrspace(2), i64, ptr addrspace(1) } undef, ptr addrspace(2) %n, 0
  call void @collect()
  %b = insertvalue { ptr addrspace(2), i64, ptr addrspace(1) } %a, i64 9, 1
  %o2 = addrspacecast ptr addrspace(2) %t to ptr addrspace(1)
  %d = insertvalue { ptr addrspace(2), i64, ptr addrspace(1) } %b, ptr addrspace(1) %o2, 2
  call void @collect()
  ret { ptr addrspace(2), i64, ptr addrspace(1) } %d
}
define internal i64 @pads(ptr addrspace(2) %a, ptr addrspace(2) %b, i64 %k) noinline gc "statepoint-example" personality ptr @handle_all {
entry:
  %c0 = icmp eq i64 %k, 0
  %c1 = icmp eq i64 %k, 1
  %c2 = icmp eq i64 %k, 2
  %v0 = insertelement <2 x ptr addrspace(2)> poison, ptr addrspace(2) %b, i32 1
  %r = invoke { ptr addrspace(2), i64, ptr addrspace(1) } @pair(ptr addrspace(2) %a, i1 %c0) to label %g1 unwind label %pad
g1:
  %r0 = extractvalue { ptr addrspace(2), i64, ptr addrspace(1) } %r, 0
  %v1 = insertelement <2 x ptr addrspace(2)> %v0, ptr addrspace(2) %r0, i32 0
  %s = invoke { ptr addrspace(2), i64, ptr addrspace(1) } @pair(ptr addrspace(2) %b, i1 %c1) to label %g2 unwind label %pad
g2:
  %t = invoke { ptr addrspace(2), i64, ptr addrspace(1) } @pair(ptr addrspace(2) %r0, i1 %c2) to label %join unwind label %pad
pad:
  %p = phi { ptr addrspace(2), i64, ptr addrspace(1) } [ zeroinitializer, %entry ], [ %r, %g1 ], [ %s, %g2 ]
  %q = phi <2 x ptr addrspace(2)> [ %v0, %entry ], [ %v0, %g1 ], [ %v1, %g2 ]
  %w = phi i64 [ 1, %entry ], [ 2, %g1 ], [ 3, %g2 ]
  %l = landingpad token cleanup
  %e = call ptr addrspace(1) @caught()
  call void @collect()
  %p2 = insertvalue { ptr addrspace(2), i64, ptr addrspace(1) } %p, ptr addrspace(1) %e, 2
  br label %join
join:
  %x = phi { ptr addrspace(2), i64, ptr addrspace(1) } [ %t, %g2 ], [ %p2, %pad ]
  %y = phi <2 x ptr addrspace(2)> [ %v1, %g2 ], [ %q, %pad ]
  %z = phi i64 [ 0, %g2 ], [ %w, %pad ]
  call void @collect()
  %x0 = extractvalue { ptr addrspace(2), i64, ptr addrspace(1) } %x, 0
  %x1 = extractvalue { ptr addrspace(2), i64, ptr addrspace(1) } %x, 1
  %x2 = extractvalue { ptr addrspace(2), i64, ptr addrspace(1) } %x, 2
  %x2s = addrspacecast ptr addrspace(1) %x2 to ptr addrspace(2)
  %y0 = extractelement <2 x ptr addrspace(2)> %y, i32 0
  %y1 = extractelement <2 x ptr addrspace(2)> %y, i32 1
  %f0 = call i64 @val(ptr addrspace(2) %x0)
  %f2 = call i64 @val(ptr addrspace(2) %x2s)
  %f4 = call i64 @val(ptr addrspace(2) %y1)
  %cz = icmp ult i64 %z, 1
  %sel = select i1 %cz, ptr addrspace(2) %y0, ptr addrspace(2) null
  %f3 = call i64 @val(ptr addrspace(2) %sel)
  %1 = mul i64 %f0, 1000
  %2 = mul i64 %f2, 100
  %3 = mul i64 %f3, 10
  %4 = add i64 %1, %2
  %5 = add i64 %3, %f4
  %6 = add i64 %4, %5
  %7 = add i64 %6, %x1
  ret i64 %7
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call ptr addrspace(2) @box(i64 3)
  %b = call ptr addrspace(2) @box(i64 8)
  %p0 = call i64 @pads(ptr addrspace(2) %a, ptr addrspace(2) %b, i64 0)
  %p1 = call i64 @pads(ptr addrspace(2) %a, ptr addrspace(2) %b, i64 1)
  %p2 = call i64 @pads(ptr addrspace(2) %a, ptr addrspace(2) %b, i64 2)
  %p3 = call i64 @pads(ptr addrspace(2) %a, ptr addrspace(2) %b, i64 3)
  %1 = mul i64 %p0, 7
  %2 = add i64 %1, %p1
  %3 = mul i64 %2, 7
  %4 = add i64 %3, %p2
  %5 = mul i64 %4, 7
  %6 = add i64 %5, %p3
  ret i64 %6
}
