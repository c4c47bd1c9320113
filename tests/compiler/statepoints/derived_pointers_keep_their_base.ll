; Derived pointers keep their base.
; RUN: safepoints=none opt=0 remat=false
; EXPLAIN: derived from
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %a, ptr addrspace(1) %b, i1 %c, i64 %i) gc "statepoint-example" {
  %s = select i1 %c, ptr addrspace(1) %a, ptr addrspace(1) %b
  %d = getelementptr i8, ptr addrspace(1) %s, i64 %i
  call void @g()
  ret ptr addrspace(1) %d
}
