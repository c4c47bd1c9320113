; A pointer that is stepped from null inbounds points to no object, and is the same after a safepoint. Where a pointer
; was tested, the optimiser derives it so.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 3 = 1010
; RESULT: 0 = 1011
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define internal ptr addrspace(1) @maybe(i64 %n) noinline gc "statepoint-example" {
  %some = icmp ugt i64 %n, 1
  br i1 %some, label %new, label %none
new:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 0)
  %at = getelementptr inbounds [4 x i64], ptr addrspace(1) %o, i64 0, i64 %n
  store i64 10, ptr addrspace(1) %at
  ret ptr addrspace(1) %o
none:
  ret ptr addrspace(1) null
}
define i64 @joined(ptr addrspace(1) %o, i64 %i) noinline gc "statepoint-example" {
  %is.null = icmp eq ptr addrspace(1) %o, null
  br i1 %is.null, label %null, label %object
null:
  %a = getelementptr inbounds [4 x i64], ptr addrspace(1) null, i64 0, i64 %i
  call void @collect()
  %alone = icmp eq ptr addrspace(1) %a, null
  br label %join
object:
  %b = getelementptr inbounds [4 x i64], ptr addrspace(1) %o, i64 0, i64 %i
  br label %join
join:
  %p = phi ptr addrspace(1) [ %a, %null ], [ %b, %object ]
  %was = phi i1 [ %alone, %null ], [ false, %object ]
  call void @collect()
  br i1 %was, label %nothing, label %something
nothing:
  %still = icmp eq ptr addrspace(1) %p, null
  %one = zext i1 %still to i64
  %eleven = add i64 %one, 10
  ret i64 %eleven
something:
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @maybe(i64 %n)
  %r = call i64 @joined(ptr addrspace(1) %o, i64 %n)
  %sum = add i64 %r, 1000
  ret i64 %sum
}
