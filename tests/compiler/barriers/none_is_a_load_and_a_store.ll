; The document's two intrinsics, without a barrier: a store and a load.
;--- 1
; RUN: opt={0,1,2,3} safepoints=none
; IR=1: store ptr addrspace(1) %v, ptr addrspace(1) %s
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- declare ref @llvm.gcread(ref, ref)
; RUN: opt={0,1,2,3} safepoints=none
; IR=1: load ptr addrspace(1), ptr addrspace(1) %s
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
;--- declare void @llvm.gcwrite(ref, ref, ref)
; RUN: opt={0,1,2,3} safepoints=none
; IR-NOT: llvm.gc
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
;--- needs a function with a GC strategy
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: needs a function with a GC strategy
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o){
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
