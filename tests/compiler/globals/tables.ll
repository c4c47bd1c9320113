; A table has as many runs as its struct has fields, whatever its length.
; RUN: safepoints=none
;--- 1
; META=1: {"name":"g","roots":[{"offset":0,"space":1,"count":100000,"stride":8}]}
@g = global [100000 x ptr addrspace(1)] zeroinitializer
;--- define void @f() gc "statepoint-example" {
; META=1: {"name":"g","roots":[{"offset":0,"space":1,"count":100000,"stride":8}]}
@g = global [100000 x ptr addrspace(1)] zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
;--- @g = global [100000 x { i64, ref }] zeroinitializer
; META=1: {"name":"g","roots":[{"offset":8,"space":1,"count":100000,"stride":16}]}
@g = global [100000 x { i64, ptr addrspace(1) }] zeroinitializer
;--- ret void
; META=1: {"name":"g","roots":[{"offset":8,"space":1,"count":100000,"stride":16}]}
@g = global [100000 x { i64, ptr addrspace(1) }] zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
;--- @g = global [100000 x { i64, ref, i64, i64, ref, { i32
; META=1: {"name":"g","roots":[{"offset":8,"space":1,"count":100000,"stride":56},{"offset":32,"space":1,"count":100000,"stride":56},{"offset":48,"space":1,"count":100000,"stride":56}]}
@g = global [100000 x { i64, ptr addrspace(1), i64, i64, ptr addrspace(1), { i32, ptr addrspace(1) } }] zeroinitializer
;--- 6
; META=1: {"name":"g","roots":[{"offset":8,"space":1,"count":100000,"stride":56},{"offset":32,"space":1,"count":100000,"stride":56},{"offset":48,"space":1,"count":100000,"stride":56}]}
@g = global [100000 x { i64, ptr addrspace(1), i64, i64, ptr addrspace(1), { i32, ptr addrspace(1) } }] zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
;--- @g = global [100000 x { ref, ref }] zeroinitializer
; META=1: {"name":"g","roots":[{"offset":0,"space":1,"count":200000,"stride":8}]}
@g = global [100000 x { ptr addrspace(1), ptr addrspace(1) }] zeroinitializer
;--- 8
; META=1: {"name":"g","roots":[{"offset":0,"space":1,"count":200000,"stride":8}]}
@g = global [100000 x { ptr addrspace(1), ptr addrspace(1) }] zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
;--- @g = global [20000 x [5 x ref]] zeroinitializer
; META=1: {"name":"g","roots":[{"offset":0,"space":1,"count":100000,"stride":8}]}
@g = global [20000 x [5 x ptr addrspace(1)]] zeroinitializer
;--- 10
; META=1: {"name":"g","roots":[{"offset":0,"space":1,"count":100000,"stride":8}]}
@g = global [20000 x [5 x ptr addrspace(1)]] zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
;--- @g = global [2 x { i64, [50000 x ref] }] zeroinitializer
; META=1: {"name":"g","roots":[{"offset":8,"space":1,"count":50000,"stride":8},{"offset":400016,"space":1,"count":50000,"stride":8}]}
@g = global [2 x { i64, [50000 x ptr addrspace(1)] }] zeroinitializer
;--- 12
; META=1: {"name":"g","roots":[{"offset":8,"space":1,"count":50000,"stride":8},{"offset":400016,"space":1,"count":50000,"stride":8}]}
@g = global [2 x { i64, [50000 x ptr addrspace(1)] }] zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
;--- @g = global [50000 x { i64, [2 x ref] }] zeroinitializer
; META=1: {"name":"g","roots":[{"offset":8,"space":1,"count":50000,"stride":24},{"offset":16,"space":1,"count":50000,"stride":24}]}
@g = global [50000 x { i64, [2 x ptr addrspace(1)] }] zeroinitializer
;--- 14
; META=1: {"name":"g","roots":[{"offset":8,"space":1,"count":50000,"stride":24},{"offset":16,"space":1,"count":50000,"stride":24}]}
@g = global [50000 x { i64, [2 x ptr addrspace(1)] }] zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
;--- @g = global [3 x { i8, [3 x { i8, ref }] }] zeroinitializer
; META=1: {"name":"g","roots":[{"offset":16,"space":1,"count":3,"stride":56},{"offset":32,"space":1,"count":3,"stride":56},{"offset":48,"space":1,"count":3,"stride":56}]}
@g = global [3 x { i8, [3 x { i8, ptr addrspace(1) }] }] zeroinitializer
;--- 16
; META=1: {"name":"g","roots":[{"offset":16,"space":1,"count":3,"stride":56},{"offset":32,"space":1,"count":3,"stride":56},{"offset":48,"space":1,"count":3,"stride":56}]}
@g = global [3 x { i8, [3 x { i8, ptr addrspace(1) }] }] zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
;--- @g = global [70000 x <2 x ref>] zeroinitializer
; META=1: {"name":"g","roots":[{"offset":0,"space":1,"count":140000,"stride":8}]}
@g = global [70000 x <2 x ptr addrspace(1)>] zeroinitializer
;--- 18
; META=1: {"name":"g","roots":[{"offset":0,"space":1,"count":140000,"stride":8}]}
@g = global [70000 x <2 x ptr addrspace(1)>] zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
;--- @g = global { ref, ref, i32, ref } zeroinitializer
; META=1: {"name":"g","roots":[{"offset":0,"space":1,"count":2,"stride":8},{"offset":24,"space":1}]}
@g = global { ptr addrspace(1), ptr addrspace(1), i32, ptr addrspace(1) } zeroinitializer
;--- 20
; META=1: {"name":"g","roots":[{"offset":0,"space":1,"count":2,"stride":8},{"offset":24,"space":1}]}
@g = global { ptr addrspace(1), ptr addrspace(1), i32, ptr addrspace(1) } zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
;--- @g = global { [0 x ref], i64, [1 x ref] } zeroinitializer
; META=1: {"name":"g","roots":[{"offset":8,"space":1}]}
@g = global { [0 x ptr addrspace(1)], i64, [1 x ptr addrspace(1)] } zeroinitializer
;--- 22
; META=1: {"name":"g","roots":[{"offset":8,"space":1}]}
@g = global { [0 x ptr addrspace(1)], i64, [1 x ptr addrspace(1)] } zeroinitializer
define void @f() gc "statepoint-example" {
  ret void
}
