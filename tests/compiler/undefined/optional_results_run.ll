; An optional result, filled field by field in memory; where there is none its reference was whatever a register held.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 6 = 15
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define internal { i1, ptr addrspace(1) } @find(i64 %i, i64 %j, i64 %k) noinline gc "statepoint-example" {
  %r = alloca { i1, ptr addrspace(1) }
  %c = icmp ugt i64 %i, 2
  br i1 %c, label %some, label %none
some:
  %n = call ptr addrspace(1) @allocate(i64 32, i64 0)
  store i64 %i, ptr addrspace(1) %n
  store i1 true, ptr %r
  %f = getelementptr { i1, ptr addrspace(1) }, ptr %r, i64 0, i32 1
  store ptr addrspace(1) %n, ptr %f
  br label %m
none:
  store i1 false, ptr %r
  br label %m
m:
  %v = load { i1, ptr addrspace(1) }, ptr %r
  ret { i1, ptr addrspace(1) } %v
}
define internal i64 @use(i64 %i) noinline gc "statepoint-example" {
  %v = call { i1, ptr addrspace(1) } @find(i64 %i, i64 81985529216486895, i64 81985529216486895)
  %has = extractvalue { i1, ptr addrspace(1) } %v, 0
  %p = extractvalue { i1, ptr addrspace(1) } %v, 1
  call void @collect()
  br i1 %has, label %u, label %r
u:
  %x = load i64, ptr addrspace(1) %p
  ret i64 %x
r:
  ret i64 1
}
define i64 @program(i64 %n) gc "statepoint-example" {
e:
  br label %l
l:
  %i = phi i64 [ 0, %e ], [ %j, %l ]
  %s = phi i64 [ 0, %e ], [ %t, %l ]
  %r = call i64 @use(i64 %i)
  %t = add i64 %s, %r
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %l, label %x
x:
  ret i64 %t
}
