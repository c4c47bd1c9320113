; Other spaces and names.
;--- @g = global [9000 x { i32, ptr addrspace(2)
; RUN: safepoints=none spaces=2:32:3
; META=1: {"offset":4,"space":2,"size":4,"count":9000,"stride":16},{"offset":8,"space":1,"count":9000,"stride":16}
@g = global [9000 x { i32, ptr addrspace(2), ptr addrspace(1) }] zeroinitializer
;--- @g = internal global [90000 x { i64, ptr, i64, i64
; RUN: safepoints=none
; META=1: {"offset":8,"space":0,"count":90000,"stride":40},{"offset":32,"space":0,"count":90000,"stride":40}
@g = internal global [90000 x { i64, ptr, i64, i64, ptr }] zeroinitializer
@smd.globals = global [1 x ptr] [ptr @g]
