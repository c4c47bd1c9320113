; What the module lists itself is as large as its type.
; RUN: safepoints=none opt={0,2}
; STACKMAP=1: "count":4
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca [4 x ptr addrspace(1)]
  store [4 x ptr addrspace(1)] zeroinitializer, ptr %s
  %a = getelementptr ptr addrspace(1), ptr %s, i64 %i
  store volatile ptr addrspace(1) %p, ptr %a
  call void @g() [ "gc-live"(ptr %s) ]
  %v = load volatile ptr addrspace(1), ptr %a
  ret ptr addrspace(1) %v
}
