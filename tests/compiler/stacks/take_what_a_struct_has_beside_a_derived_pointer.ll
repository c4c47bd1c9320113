; Take what a struct has beside a derived pointer.
; RUN: safepoints=none opt={0,1,2,3,z}
; STACKMAP=1: "kind":"direct"
declare void @g()
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  %a = insertvalue { ptr addrspace(1), ptr addrspace(1) } poison, ptr addrspace(1) %p, 0
  %b = insertvalue { ptr addrspace(1), ptr addrspace(1) } %a, ptr addrspace(1) %d, 1
  call void @g()
  %o = extractvalue { ptr addrspace(1), ptr addrspace(1) } %b, 0
  store ptr addrspace(1) %o, ptr %s
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
