; Stacks have the layout of their type.
; RUN: safepoints=none opt={0,1,2,3,z}
;--- %s = alloca ref
; STACKMAP=1: "fields":[{"offset":0,"size":8,"space":1}]
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- %s = alloca { i64, ref }
; STACKMAP=1: "fields":[{"offset":8,"size":8,"space":1}]
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %s = alloca { i64, ptr addrspace(1) }
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- %s = alloca <{ i8, ref, i8, ref }>
; STACKMAP=1: "fields":[{"offset":1,"size":8,"space":1},{"offset":10,"size":8,"space":1}]
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %s = alloca <{ i8, ptr addrspace(1), i8, ptr addrspace(1) }>
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- %s = alloca [4 x { i64, ref }]
; STACKMAP=1: "fields":[{"offset":8,"size":8,"space":1,"count":4,"stride":16}]
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %s = alloca [4 x { i64, ptr addrspace(1) }]
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- %s = alloca [3 x [5 x ref]]
; STACKMAP=1: "fields":[{"offset":0,"size":8,"space":1,"count":15,"stride":8}]
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %s = alloca [3 x [5 x ptr addrspace(1)]]
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- %s = alloca { i32, [2 x { [3 x ref], double }] }
; STACKMAP=1: "fields":[{"offset":8,"size":8,"space":1,"count":3,"stride":8},{"offset":40,"size":8,"space":1,"count":3,"stride":8}]
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %s = alloca { i32, [2 x { [3 x ptr addrspace(1)], double }] }
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- %s = alloca { <2 x ref>, i64 }
; STACKMAP=1: "fields":[{"offset":0,"size":8,"space":1,"count":2,"stride":8}]
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %s = alloca { <2 x ptr addrspace(1)>, i64 }
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- %s = alloca ref, i32 3
; STACKMAP=1: "fields":[{"offset":0,"size":8,"space":1,"count":3,"stride":8}]
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %s = alloca ptr addrspace(1), i32 3
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- %s = alloca { [0 x ref], i64 }
; STACKMAP-NOT: "kind":"direct"
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca { [0 x ptr addrspace(1)], i64 }
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
