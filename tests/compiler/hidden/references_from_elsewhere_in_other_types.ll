; Nor as something else than an integer: numbers with a point, vectors and structs have room for an
; address as well.
; RUN: opt={0,2} safepoints=none
;--- is kept across the call of g
; STATUS: safepoint_violation
; ERROR: is kept across the call of g
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load double, ptr addrspace(1) %o
  call void @g()
  %i = bitcast double %v to i64
  %q = inttoptr i64 %i to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
;--- %v = load double, ref %o
; ROOTS: 1
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load double, ptr addrspace(1) %o
  %i = bitcast double %v to i64
  %q = inttoptr i64 %i to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %q
}
;--- %v = load <2 x i64>, ref %o
; STATUS: safepoint_violation
; ERROR: is kept across the call of g
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load <2 x i64>, ptr addrspace(1) %o
  call void @g()
  %i = extractelement <2 x i64> %v, i32 1
  %q = inttoptr i64 %i to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
;--- %i = extractelement <2 x i64> %v, i32 1
; ROOTS: 1
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load <2 x i64>, ptr addrspace(1) %o
  %i = extractelement <2 x i64> %v, i32 1
  %q = inttoptr i64 %i to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %q
}
;--- %v = load { i64, i64 }, ref %o
; STATUS: safepoint_violation
; ERROR: is kept across the call of g
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load { i64, i64 }, ptr addrspace(1) %o
  call void @g()
  %i = extractvalue { i64, i64 } %v, 1
  %q = inttoptr i64 %i to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
;--- %i = extractvalue { i64, i64 } %v, 1
; ROOTS: 1
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load { i64, i64 }, ptr addrspace(1) %o
  %i = extractvalue { i64, i64 } %v, 1
  %q = inttoptr i64 %i to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %q
}
;--- %v = load i128, ref %o
; STATUS: safepoint_violation
; ERROR: is kept across the call of g
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load i128, ptr addrspace(1) %o
  call void @g()
  %s = lshr i128 %v, 64
  %i = trunc i128 %s to i64
  %q = inttoptr i64 %i to ptr addrspace(1)
  ret ptr addrspace(1) %q
}
;--- %s = lshr i128 %v, 64
; ROOTS: 1
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load i128, ptr addrspace(1) %o
  %s = lshr i128 %v, 64
  %i = trunc i128 %s to i64
  %q = inttoptr i64 %i to ptr addrspace(1)
  call void @g()
  ret ptr addrspace(1) %q
}
