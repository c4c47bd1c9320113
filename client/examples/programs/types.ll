; Types of stack slots and of values: each is a region that the record tells the type of.
; run: 10 = 30
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
@T = constant i64 8
@U = internal constant i64 9
define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define internal ptr addrspace(1) @mk(i64 %n) noinline gc "statepoint-example" {
  %x = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %x
  ret ptr addrspace(1) %x
}
declare i32 @handle_all(...)
define internal void @put(ptr %p, i64 %n) noinline gc "statepoint-example" {
  %x = call ptr addrspace(1) @mk(i64 %n)
  store ptr addrspace(1) %x, ptr %p
  ret void
}
define i64 @program(i64 %n) gc "statepoint-example" personality ptr @handle_all {
entry:
  %s = alloca { i64, ptr addrspace(1) }, !smd.type !0
  %s1 = getelementptr i8, ptr %s, i64 8
  %t = alloca ptr addrspace(1), !smd.type !1
  %a = call ptr addrspace(1) @mk(i64 %n) 
  store ptr addrspace(1) %a, ptr %t
  %b = call ptr addrspace(1) @mk(i64 %n) [ "gc-type"(ptr addrspace(1) %a, i64 5) ]
  call void @put(ptr %s1, i64 %n)
  call void @collect() [ "gc-type"(ptr addrspace(1) %a, i64 5, ptr addrspace(1) %b, ptr @U), "deopt"(ptr addrspace(1) %a) ]
  call void @collect()
  %x = load ptr addrspace(1), ptr %t
  %v = load i64, ptr addrspace(1) %x
  %w = load i64, ptr addrspace(1) %b
  %y = load ptr addrspace(1), ptr %s1
  %u = load i64, ptr addrspace(1) %y
  %k = load i64, ptr addrspace(1) %a
  %d = xor i64 %k, %v
  %p = add i64 %v, %w
  %q = add i64 %p, %u
  %z = add i64 %q, %d
  ret i64 %z
}
!0 = !{i64 99}
!1 = !{ptr @T}
