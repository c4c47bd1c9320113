; What a card need not tell.
;--- store ref null, ref %o
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR-NOT: store i8 1, ptr
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9
; REMARKS=1: it stores null
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=satb:keep:marking opt={0,1,2,3}
; IR=1: call void @keep(
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store ptr addrspace(1) null, ptr addrspace(1) %o
  ret void
}
;--- store ref addrspacecast (ptr @g to ref), ref %o
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR-NOT: store i8 1, ptr
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9
; REMARKS=1: it stores a constant
@g = global i8 0
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store ptr addrspace(1) addrspacecast (ptr @g to ptr addrspace(1)), ptr addrspace(1) %o
  ret void
}
;--- %n = call ref @allocate(i64 16)
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR-NOT: store i8 1, ptr
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9
; REMARKS=1: the object is fresh
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=satb:keep:marking opt={0,1,2,3}
; IR-NOT: call void @keep(
declare noalias ptr addrspace(1) @allocate(i64)
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %n = call ptr addrspace(1) @allocate(i64 16)
  store ptr addrspace(1) %v, ptr addrspace(1) %n
  store volatile ptr addrspace(1) %n, ptr %p
  ret void
}
;--- run
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: store i8 1, ptr
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9
; REMARKS=1: the object has had its barrier, and there is no safepoint since
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=satb:keep:marking opt={0,1,2,3}
; IR=2: call void @keep(
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  store volatile ptr addrspace(1) %v, ptr addrspace(1) %o
  store volatile ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
;--- store volatile ref null, ref %o
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=satb:keep:marking opt={0,1,2,3}
; IR=1: call void @keep(
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store volatile ptr addrspace(1) %v, ptr addrspace(1) %o
  store volatile ptr addrspace(1) null, ptr addrspace(1) %o
  ret void
}
