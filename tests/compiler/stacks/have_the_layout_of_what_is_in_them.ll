; Its type tells nothing: what is stored and loaded does.
; RUN: safepoints=none opt={0,2}
; STACKMAP=1: "fields":[{"offset":8,"size":8,"space":1,"count":2,"stride":16}]
declare void @g()
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca [4 x i64]
  %u = getelementptr { i64, i64 }, ptr %s, i64 %i, i32 1
  store volatile ptr addrspace(1) %p, ptr %u
  call void @g()
  %v = load volatile ptr addrspace(1), ptr %u
  ret ptr addrspace(1) %v
}
