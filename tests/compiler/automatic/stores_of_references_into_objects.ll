; Stores of references into objects.
;--- 1
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: store i8 1, ptr
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=satb:keep:marking opt={0,1,2,3}
; IR=1: call void @keep(
; RUN: barriers=off safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR-NOT: store i8 1, ptr
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
;--- store i64 %i, ref %o
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR-NOT: store i8 1, ptr
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store i64 %i, ptr addrspace(1) %o
  ret void
}
;--- store ref %v, ptr %p
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR-NOT: store i8 1, ptr
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr %p
  ret void
}
;--- define void @f(ref %v, ref %o) {
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR-NOT: store i8 1, ptr
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o) {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
