; At level 0 a frontend keeps a struct in a slot over a safepoint. Its parts are values then, and joined again behind it.
; RUN: opt={0,1,2,3} poll=call:collect
; RESULT: 5 = 1005
; RESULT: --leave-out 0 5 != 1005
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define { i1, ptr addrspace(1) } @find(i64 %n) noinline gc "statepoint-example" {
  %there = icmp sgt i64 %n, 3
  br i1 %there, label %some, label %none
some:
  %e = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %e
  %a = insertvalue { i1, ptr addrspace(1) } poison, i1 true, 0
  %b = insertvalue { i1, ptr addrspace(1) } %a, ptr addrspace(1) %e, 1
  ret { i1, ptr addrspace(1) } %b
none:
  ret { i1, ptr addrspace(1) } { i1 false, ptr addrspace(1) undef }
}

define i64 @get({ i1, ptr addrspace(1) } %found) noinline gc "statepoint-example" {
  call void @collect()
  %there = extractvalue { i1, ptr addrspace(1) } %found, 0
  br i1 %there, label %some, label %none
some:
  %p = extractvalue { i1, ptr addrspace(1) } %found, 1
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
none:
  ret i64 1000
}

define i64 @kept(i64 %n) noinline gc "statepoint-example" {
  %slot = alloca { i1, ptr addrspace(1) }
  %found = call { i1, ptr addrspace(1) } @find(i64 %n)
  store { i1, ptr addrspace(1) } %found, ptr %slot
  call void @collect()
  %again = load { i1, ptr addrspace(1) }, ptr %slot
  %v = call i64 @get({ i1, ptr addrspace(1) } %again)
  ret i64 %v
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call i64 @kept(i64 %n)
  %b = call i64 @kept(i64 1)
  %s = add i64 %a, %b
  ret i64 %s
}
