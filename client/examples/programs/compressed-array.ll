; Arrays of compressed references: sorted in place, exchanged atomically, indexed by way of one.
; run: 9 = 5447491734
; options: spaces=2:32:0:heap_base,3:32:3:heap_base
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}
define internal ptr addrspace(1) @new_array(i64 %n) noinline gc "statepoint-example" {
  %bytes = shl i64 %n, 2
  %all = add i64 %bytes, 8
  %c = shl i64 %n, 32
  %o = call ptr addrspace(1) @allocate(i64 %all, i64 %c)
  ret ptr addrspace(1) %o
}
define internal ptr addrspace(1) @new_box(i64 %v) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 4294967296)
  %f = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %v, ptr addrspace(1) %f
  ret ptr addrspace(1) %o
}
define internal i64 @value(ptr addrspace(2) %b) noinline gc "statepoint-example" {
  call void @collect()
  %null = icmp eq ptr addrspace(2) %b, null
  br i1 %null, label %none, label %some
none:
  ret i64 0
some:
  %o = addrspacecast ptr addrspace(2) %b to ptr addrspace(1)
  %f = getelementptr inbounds i8, ptr addrspace(1) %o, i64 8
  %v = load i64, ptr addrspace(1) %f
  ret i64 %v
}
; bubble sort with safepoints between reads and writes
define internal void @sort(ptr addrspace(1) %a, i64 %n) noinline gc "statepoint-example" {
entry:
  %last = sub i64 %n, 1
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j1, %inner.next ]
  %j1 = add i64 %j, 1
  %pa = getelementptr ptr addrspace(2), ptr addrspace(1) %a, i64 %j
  %pb = getelementptr ptr addrspace(2), ptr addrspace(1) %a, i64 %j1
  %x = load ptr addrspace(2), ptr addrspace(1) %pa, align 4
  %y = load ptr addrspace(2), ptr addrspace(1) %pb, align 4
  %vx = call i64 @value(ptr addrspace(2) %x)
  %vy = call i64 @value(ptr addrspace(2) %y)
  %gt = icmp sgt i64 %vx, %vy
  %lo = select i1 %gt, ptr addrspace(2) %y, ptr addrspace(2) %x
  %hi = select i1 %gt, ptr addrspace(2) %x, ptr addrspace(2) %y
  call void @collect()
  store ptr addrspace(2) %lo, ptr addrspace(1) %pa, align 4
  store ptr addrspace(2) %hi, ptr addrspace(1) %pb, align 4
  %more = icmp ult i64 %j1, %last
  br i1 %more, label %inner.next, label %next
inner.next:
  br label %inner
next:
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, %n
  br i1 %again, label %outer, label %done
done:
  ret void
}
define internal i64 @cas(ptr addrspace(1) %a, ptr addrspace(2) %new) noinline gc "statepoint-example" {
  %old = load ptr addrspace(2), ptr addrspace(1) %a, align 4
  call void @collect()
  %r = cmpxchg ptr addrspace(1) %a, ptr addrspace(2) %old, ptr addrspace(2) %new seq_cst seq_cst
  call void @collect()
  %seen = extractvalue { ptr addrspace(2), i1 } %r, 0
  %ok = extractvalue { ptr addrspace(2), i1 } %r, 1
  %v = call i64 @value(ptr addrspace(2) %seen)
  %z = zext i1 %ok to i64
  %r2 = cmpxchg weak ptr addrspace(1) %a, ptr addrspace(2) %old, ptr addrspace(2) null acq_rel monotonic
  %seen2 = extractvalue { ptr addrspace(2), i1 } %r2, 0
  %same = icmp eq ptr addrspace(2) %seen2, %new
  %z2 = zext i1 %same to i64
  call void @collect()
  %x = atomicrmw xchg ptr addrspace(1) %a, ptr addrspace(2) %seen acq_rel
  call void @collect()
  %vx = call i64 @value(ptr addrspace(2) %x)
  %s1 = mul i64 %v, 100
  %s2 = add i64 %s1, %z
  %s3 = mul i64 %s2, 10
  %s4 = add i64 %s3, %z2
  %s5 = mul i64 %s4, 1000
  %s6 = add i64 %s5, %vx
  ret i64 %s6
}
; atomics by way of the narrow oop
define internal i64 @cas2(ptr addrspace(2) %a, ptr addrspace(2) %new) noinline gc "statepoint-example" {
  %p = getelementptr ptr addrspace(2), ptr addrspace(2) %a, i64 1
  %old = load atomic ptr addrspace(2), ptr addrspace(2) %p acquire, align 4
  call void @collect()
  %r = cmpxchg ptr addrspace(2) %p, ptr addrspace(2) %old, ptr addrspace(2) %new seq_cst seq_cst
  %seen = extractvalue { ptr addrspace(2), i1 } %r, 0
  call void @collect()
  store atomic ptr addrspace(2) %seen, ptr addrspace(2) %p release, align 4
  %vx = call i64 @value(ptr addrspace(2) %seen)
  ret i64 %vx
}
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %a = call ptr addrspace(1) @new_array(i64 %n)
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i1, %fill ]
  %i1 = add i64 %i, 1
  %k = mul i64 %i, 7
  %v = urem i64 %k, %n
  %vv = add i64 %v, 3
  %b = call ptr addrspace(1) @new_box(i64 %vv)
  %s = addrspacecast ptr addrspace(1) %b to ptr addrspace(2)
  call void @collect()
  %p = getelementptr ptr addrspace(2), ptr addrspace(1) %a, i64 %i
  store ptr addrspace(2) %s, ptr addrspace(1) %p, align 4
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %fill, label %sorted
sorted:
  call void @sort(ptr addrspace(1) %a, i64 %n)
  br label %sum
sum:
  %j = phi i64 [ 0, %sorted ], [ %j1, %sum ]
  %t = phi i64 [ 0, %sorted ], [ %t2, %sum ]
  %j1 = add i64 %j, 1
  %as = addrspacecast ptr addrspace(1) %a to ptr addrspace(2)
  %q = getelementptr [0 x ptr addrspace(2)], ptr addrspace(2) %as, i64 0, i64 %j
  %e = load ptr addrspace(2), ptr addrspace(2) %q, align 4
  %ev = call i64 @value(ptr addrspace(2) %e)
  %t1 = mul i64 %t, 12
  %t2 = add i64 %t1, %ev
  %m2 = icmp ult i64 %j1, %n
  br i1 %m2, label %sum, label %end
end:
  %nb = call ptr addrspace(1) @new_box(i64 77)
  %ns = addrspacecast ptr addrspace(1) %nb to ptr addrspace(2)
  %c1 = call i64 @cas(ptr addrspace(1) %a, ptr addrspace(2) %ns)
  %c2 = call i64 @cas2(ptr addrspace(2) %as, ptr addrspace(2) %ns)
  %c2m = mul i64 %c2, 1000000000
  %x = xor i64 %t2, %c1
  %y = add i64 %x, %c2m
  ret i64 %y
}
