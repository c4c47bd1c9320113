; Arguments by value are copied.
; RUN: safepoints=none opt={0,2}
; STACKMAP=1: "fields":[{"offset":8,"size":8,"space":1}]
declare void @g()
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr byval({ i64, ptr addrspace(1) }) %s) gc "statepoint-example" {
  call void @g()
  %a = getelementptr i8, ptr %s, i64 8
  %v = load ptr addrspace(1), ptr %a
  ret ptr addrspace(1) %v
}
