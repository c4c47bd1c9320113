; The module's own is inlined.
; RUN: opt={0,1,2,3} safepoints=none
;--- store ref %v, ref %s
; IR=1: store volatile i8 7, ptr addrspace(1) %o
; IR-NOT: @gc.write_barrier
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  store volatile i8 7, ptr addrspace(1) %o
  ret void
}
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- %v = load volatile ref, ref %s
; IR=1: load volatile ptr addrspace(1), ptr addrspace(1) %s
define linkonce_odr ptr addrspace(1) @gc.read_barrier(ptr addrspace(1) %o, ptr addrspace(1) %s) noinline {
  %v = load volatile ptr addrspace(1), ptr addrspace(1) %s
  ret ptr addrspace(1) %v
}
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
