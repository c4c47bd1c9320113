; Globals whose types have references, and those that @smd.globals names.
;--- %p = getelementptr [3 x { i64, ref }], ptr @table, i64 0
; RUN: safepoints=none opt=0
; META=1: {"name":"one","roots":[{"offset":0,"space":1}]}
; META=1: {"name":"many","thread_local":true,"roots":[{"offset":8,"space":1,"count":4,"stride":8},{"offset":48,"space":1}]}
; META=1: {"name":"table","roots":[{"offset":8,"space":1,"count":3,"stride":16}]}
; META=1: {"name":"plain","roots":[{"offset":0,"space":0,"count":2,"stride":8}]}
; RUN: safepoints=none
; META-NOT: "name":"none"
; META-NOT: "name":"elsewhere"
@one = global ptr addrspace(1) null
@none = global i64 7
@many = thread_local global { i64, [4 x ptr addrspace(1)], { i8, ptr addrspace(1) } } zeroinitializer
@table = internal global [3 x { i64, ptr addrspace(1) }] zeroinitializer
@plain = global [2 x ptr] zeroinitializer
@elsewhere = external global ptr addrspace(1)
@smd.globals = global [1 x ptr] [ptr @plain]
define ptr addrspace(1) @f(i64 %i) gc "statepoint-example" {
  %p = getelementptr [3 x { i64, ptr addrspace(1) }], ptr @table, i64 0, i64 %i, i32 1
  %v = load ptr addrspace(1), ptr %p
  store ptr addrspace(1) null, ptr %p
  ret ptr addrspace(1) %v
}
;--- define void @f() gc "statepoint-example" {
; RUN: safepoints=none
; META-NOT: global_roots
define void @f() gc "statepoint-example" {
  ret void
}
;--- smd.globals
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: smd.globals
@smd.globals = global [2 x i64] [i64 1, i64 2]
define void @f() gc "statepoint-example" {
  ret void
}
