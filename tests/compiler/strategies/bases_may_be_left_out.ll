; One spill slot, in which the derived pointer is, instead of two; the object's own is there where
; it is used again.
;--- 1
; RUN: safepoints=none remat=false opt=0
; ROOTS: 2
; RUN: safepoints=none remat=false opt=0 bases=none
; ROOTS: 1
; RUN: safepoints=none remat=false bases=none emit=ir
; IR=1: ; (%d, %d)
; RUN: safepoints=none remat=false bases=none
; META=1: smc compile --quiet --ir=- 
declare void @g()
define i64 @f(ptr addrspace(1) %p, i64 %i) gc "coreclr" {
  %d = getelementptr i64, ptr addrspace(1) %p, i64 %i
  call void @g()
  %v = load i64, ptr addrspace(1) %d
  ret i64 %v
}
;--- define i64 @f(ref %p, i64 %i) gc "statepoint-example" {
; RUN: safepoints=none remat=false opt=0
; ROOTS: 2
; RUN: safepoints=none remat=false opt=0 bases=none
; ROOTS: 1
; RUN: safepoints=none remat=false bases=none emit=ir
; IR=1: ; (%d, %d)
; RUN: safepoints=none remat=false bases=none
; META=1: smc compile --quiet --ir=- 
declare void @g()
define i64 @f(ptr addrspace(1) %p, i64 %i) gc "statepoint-example" {
  %d = getelementptr i64, ptr addrspace(1) %p, i64 %i
  call void @g()
  %v = load i64, ptr addrspace(1) %d
  ret i64 %v
}
;--- call ref @h(ref %p)
; RUN: safepoints=none remat=false bases=none opt=0
; ROOTS: 2 1
declare void @g()
declare ptr addrspace(1) @h(ptr addrspace(1))
define i64 @f(ptr addrspace(1) %p, i64 %i) gc "coreclr" {
  %d = getelementptr i64, ptr addrspace(1) %p, i64 %i
  call void @g()
  %v = load i64, ptr addrspace(1) %d
  call ptr addrspace(1) @h(ptr addrspace(1) %p)
  ret i64 %v
}
;--- call void @g() ["gc-live"(ref %p)]
; RUN: safepoints=none bases=none
; ROOTS: 1
declare void @g()
define void @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g() ["gc-live"(ptr addrspace(1) %p)]
  ret void
}
