; What is taken out of a struct.
;--- %e = extractvalue { i64, ref } %s, 1
; RUN: safepoints=none opt={0,2} remat=false
; IR=2: ; (%p
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %s = insertvalue { i64, ptr addrspace(1) } undef, ptr addrspace(1) %d, 1
  %e = extractvalue { i64, ptr addrspace(1) } %s, 1
  call void @g()
  ret ptr addrspace(1) %e
}
;--- may be a derived pointer
; RUN: safepoints=none opt=0
; STATUS: cannot_rewrite
; ERROR: may be a derived pointer
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 %i
  %s = insertvalue { i64, ptr addrspace(1) } undef, ptr addrspace(1) %d, 1
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %t = phi { i64, ptr addrspace(1) } [ %s, %0 ], [ { i64 1, ptr addrspace(1) null }, %a ]
  %e = extractvalue { i64, ptr addrspace(1) } %t, 1
  call void @g()
  ret ptr addrspace(1) %e
}
