; A value has one slot, whose size and type the record has beside the place of each pointer in it.
;--- call void @llvm.gc.value.s({ ref, i32, [2 x ref] } %s, ptr null)
; RUN: safepoints=none opt={0,1,2,3,z}
; STACKMAP=1: "kind":"direct"
; STACKMAP=1: "fields":[{"offset":0,"size":8,"space":1},{"offset":16,"size":8,"space":1,"count":2,"stride":8}],"bytes":32
declare void @llvm.gc.value.s({ ptr addrspace(1), i32, [2 x ptr addrspace(1)] }, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define { ptr addrspace(1), i32, [2 x ptr addrspace(1)] } @f({ ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %s) gc "coreclr" {
  call void @llvm.gc.value.s({ ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %s, ptr null)
  call void @g()
  ret { ptr addrspace(1), i32, [2 x ptr addrspace(1)] } %s
}
;--- call void @llvm.gc.value.v(<2 x ref> %v, ptr null)
; RUN: safepoints=none opt={0,1,2,3,z}
; STACKMAP=1: "kind":"direct"
; STACKMAP=1: "fields":[{"offset":0,"size":8,"space":1,"count":2,"stride":8}],"bytes":16
declare void @llvm.gc.value.v(<2 x ptr addrspace(1)>, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %v) gc "coreclr" {
  call void @llvm.gc.value.v(<2 x ptr addrspace(1)> %v, ptr null)
  call void @g()
  ret <2 x ptr addrspace(1)> %v
}
;--- call void @llvm.gc.value.f(float %i, ptr @meta)
; RUN: safepoints=none opt={0,1,2,3}
; STACKMAP=1: "bytes":4,"type":{"symbol":"meta","addend":0}
declare void @llvm.gc.value.f(float, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  %i = sitofp i64 %n to float
  call void @llvm.gc.value.f(float %i, ptr @meta)
  call void @g()
  store float %i, ptr %p
  ret void
}
;--- a root is a pointer or 64 bits
; RUN: safepoints=none
; STATUS: invalid_gcroot
; ERROR: a root is a pointer or 64 bits
declare void @llvm.gc.value.f(float, ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "erlang" {
entry:
  %i = sitofp i64 %n to float
  call void @llvm.gc.value.f(float %i, ptr null)
  call void @g()
  store float %i, ptr %p
  ret void
}
;--- only the address of an object is one
; RUN: safepoints=none
; STATUS: invalid_gcroot
; ERROR: only the address of an object is one
declare void @llvm.gc.value.p1(ptr addrspace(1), ptr)
declare void @g()
@meta = constant i32 1
@count = global i32 0
define void @f(ptr %p, ptr addrspace(1) %r, i64 %n, i1 %c) gc "statepoint-example" {
entry:
  %a = alloca ptr addrspace(1)
  %b = alloca ptr addrspace(1)
  %d = getelementptr i8, ptr addrspace(1) %r, i64 8
  call void @llvm.gc.value.p1(ptr addrspace(1) %d, ptr null)
  call void @g()
  store i8 0, ptr addrspace(1) %d
  ret void
}
