; What is copied into a slot as a whole, and out of it by parts, is a reference all the while.
; run: 5 = 4343
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
declare void @llvm.memmove.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}
; pointers first, then a number
define internal ptr addrspace(1) @node(i64 %v, ptr addrspace(1) %a, ptr addrspace(1) %b) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 24, i64 2)
  store ptr addrspace(1) %a, ptr addrspace(1) %o
  %f = getelementptr i8, ptr addrspace(1) %o, i64 8
  store ptr addrspace(1) %b, ptr addrspace(1) %f
  %g = getelementptr i8, ptr addrspace(1) %o, i64 16
  store i64 %v, ptr addrspace(1) %g
  ret ptr addrspace(1) %o
}
define internal i64 @val(ptr addrspace(1) %o) noinline gc "statepoint-example" {
  %g = getelementptr i8, ptr addrspace(1) %o, i64 16
  %v = load i64, ptr addrspace(1) %g
  ret i64 %v
}
define internal void @parts(ptr addrspace(1) %to, ptr addrspace(1) %from) noinline gc "statepoint-example" {
  %t = alloca { ptr addrspace(1), ptr addrspace(1), i64 }
  call void @llvm.memcpy.p0.p1.i64(ptr %t, ptr addrspace(1) %from, i64 24, i1 false)
  call void @collect()
  %u = getelementptr i8, ptr %t, i64 8
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %to, ptr %u, i64 8, i1 false)
  call void @collect()
  %to1 = getelementptr i8, ptr addrspace(1) %to, i64 8
  call void @llvm.memmove.p1.p0.i64(ptr addrspace(1) %to1, ptr %t, i64 8, i1 false)
  ret void
}
define internal void @into(ptr addrspace(1) %to, ptr addrspace(1) %from) noinline gc "statepoint-example" {
  %t = alloca { ptr addrspace(1), ptr addrspace(1), i64 }
  %from1 = getelementptr i8, ptr addrspace(1) %from, i64 8
  call void @llvm.memcpy.p0.p1.i64(ptr %t, ptr addrspace(1) %from1, i64 8, i1 false)
  %t1 = getelementptr i8, ptr %t, i64 8
  call void @llvm.memcpy.p0.p1.i64(ptr %t1, ptr addrspace(1) %from, i64 8, i1 false)
  call void @collect()
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %to, ptr %t, i64 16, i1 false)
  ret void
}
define internal void @twice(ptr addrspace(1) %to, ptr addrspace(1) %from) noinline gc "statepoint-example" {
  %t = alloca { ptr addrspace(1), ptr addrspace(1), i64 }
  %s = alloca { ptr addrspace(1), ptr addrspace(1) }
  call void @llvm.memcpy.p0.p1.i64(ptr %t, ptr addrspace(1) %from, i64 24, i1 false)
  call void @collect()
  %t1 = getelementptr i8, ptr %t, i64 8
  %s1 = getelementptr i8, ptr %s, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %t1, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %s1, ptr %t, i64 8, i1 false)
  call void @collect()
  %a = load ptr addrspace(1), ptr %s
  store ptr addrspace(1) %a, ptr addrspace(1) %to
  %to1 = getelementptr i8, ptr addrspace(1) %to, i64 8
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %to1, ptr %s1, i64 8, i1 false)
  ret void
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call ptr addrspace(1) @node(i64 3, ptr addrspace(1) null, ptr addrspace(1) null)
  %b = call ptr addrspace(1) @node(i64 4, ptr addrspace(1) null, ptr addrspace(1) null)
  %c = call ptr addrspace(1) @node(i64 5, ptr addrspace(1) %a, ptr addrspace(1) %b)
  %d = call ptr addrspace(1) @node(i64 6, ptr addrspace(1) null, ptr addrspace(1) null)
  call void @parts(ptr addrspace(1) %d, ptr addrspace(1) %c)
  %d0 = load ptr addrspace(1), ptr addrspace(1) %d
  %v1 = call i64 @val(ptr addrspace(1) %d0)
  call void @into(ptr addrspace(1) %c, ptr addrspace(1) %d)
  %c0 = load ptr addrspace(1), ptr addrspace(1) %c
  %v2 = call i64 @val(ptr addrspace(1) %c0)
  call void @twice(ptr addrspace(1) %d, ptr addrspace(1) %c)
  %e0 = load ptr addrspace(1), ptr addrspace(1) %d
  %v3 = call i64 @val(ptr addrspace(1) %e0)
  %d8 = getelementptr i8, ptr addrspace(1) %d, i64 8
  %e1 = load ptr addrspace(1), ptr addrspace(1) %d8
  %v4 = call i64 @val(ptr addrspace(1) %e1)
  %1 = mul i64 %v1, 10
  %2 = add i64 %1, %v2
  %3 = mul i64 %2, 10
  %4 = add i64 %3, %v3
  %5 = mul i64 %4, 10
  %6 = add i64 %5, %v4
  ret i64 %6
}
