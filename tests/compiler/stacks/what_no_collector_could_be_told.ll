; What no collector could be told.
; RUN: safepoints=none opt={0,1,2,3,z}
; STATUS: cannot_rewrite
;--- has no fixed size
; ERROR: has no fixed size
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1), i64 %i
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- store the object's address, and the distance beside it
; ERROR: store the object's address, and the distance beside it
declare void @g()
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  store volatile ptr addrspace(1) %d, ptr %s
  call void @g()
  %v = load volatile ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %v
}
;--- slots of their own
; ERROR: slots of their own
declare void @g()
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  call void @out(ptr %s)
  store i64 %i, ptr %s
  call void @g()
  ret ptr addrspace(1) %p
}
;--- store null
; ERROR: store null
declare void @g()
declare void @out(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca { i64, ptr addrspace(1) }
  call void @out(ptr %s)
  call void @llvm.memset.p0.i64(ptr %s, i8 1, i64 16, i1 0)
  call void @g()
  ret ptr addrspace(1) %p
}
;--- copy whole ones
; ERROR: copy whole ones
declare void @g()
declare void @out(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca { i64, ptr addrspace(1) }
  %t = alloca { i64, ptr addrspace(1) }
  call void @out(ptr %s)
  call void @out(ptr %t)
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %t, i64 12, i1 0)
  call void @g()
  ret ptr addrspace(1) %p
}
;--- the type of what is in it
; ERROR: the type of what is in it
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca [16 x i8], align 8
  store ptr addrspace(1) %p, ptr %s
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- more than 64 KiB
; ERROR: more than 64 KiB
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c)  gc "statepoint-example" {
  %s = alloca [20000 x ptr addrspace(1)]
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
;--- leave safestack
; ERROR: leave safestack
declare void @out(ptr)
@where = global ptr null
@more = global i1 0
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) safestack gc "statepoint-example" {
  %s = alloca ptr addrspace(1)
  call void @out(ptr %s)
  ret ptr addrspace(1) %p
}
