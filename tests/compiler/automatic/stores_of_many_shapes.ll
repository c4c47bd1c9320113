; Stores of many shapes.
;--- vector
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: store i8 1, ptr
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=satb:keep:marking opt={0,1,2,3}
; IR=2: call void @keep(
define void @f(<2 x ptr addrspace(1)> %v, ptr addrspace(1) %o) gc "statepoint-example" {
  store <2 x ptr addrspace(1)> %v, ptr addrspace(1) %o
  ret void
}
;--- parts
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: store i8 1, ptr
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=satb:keep:marking opt={0,1,2,3}
; IR=3: call void @keep(
define void @f({ i64, ptr addrspace(1), [2 x ptr addrspace(1)] } %v, ptr addrspace(1) %o) gc "statepoint-example" {
  store { i64, ptr addrspace(1), [2 x ptr addrspace(1)] } %v, ptr addrspace(1) %o
  ret void
}
;--- exchange
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: store i8 1, ptr
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=satb:keep:marking opt={0,1,2,3}
; IR=2: call void @keep(
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %x = atomicrmw xchg ptr addrspace(1) %o, ptr addrspace(1) %v seq_cst
  %y = cmpxchg ptr addrspace(1) %o, ptr addrspace(1) %x, ptr addrspace(1) %v seq_cst seq_cst
  ret void
}
;--- copy
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: store i8 1, ptr
; RUN: barriers=auto safepoints=none barrier=satb:keep:marking
; STATUS: barrier_conflict
; ERROR: smd-no-references
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %o, ptr addrspace(1) %v, i64 64, i1 false)
  ret void
}
;--- store atomic ref %v, ref %o release, align 8
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=satb:keep:marking opt={0,1,2,3}
; IR=1: store atomic ptr addrspace(1) %v
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store atomic ptr addrspace(1) %v, ptr addrspace(1) %o release, align 8
  ret void
}
