; A safepoint ends what was known; so does another turn of a loop, in which a name is another
; object.
;--- store ref %v, ref %o
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=2: store i8 1, ptr
declare void @collect()
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  call void @collect()
  store ptr addrspace(1) %o, ptr addrspace(1) %o
  ret void
}
;--- %n = call ref @allocate(i64 16)
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: store i8 1, ptr
declare noalias ptr addrspace(1) @allocate(i64)
declare void @collect()
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %n = call ptr addrspace(1) @allocate(i64 16)
  call void @collect()
  store ptr addrspace(1) %v, ptr addrspace(1) %n
  store volatile ptr addrspace(1) %n, ptr %p
  ret void
}
;--- br i1 %c, label %b, label %d
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=2: store i8 1, ptr
declare void @stop()
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  br label %a
a:
  %x = load volatile i64, ptr %p
  %c = icmp eq i64 %x, 0
  br i1 %c, label %b, label %d
b:
  store volatile ptr addrspace(1) %v, ptr addrspace(1) %o
  br label %e
d:
  call void @stop()
  br label %e
e:
  store volatile ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
;--- %x = load volatile ref, ptr %p
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: store i8 1, ptr
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  br label %a
a:
  %x = load volatile ptr addrspace(1), ptr %p
  store volatile ptr addrspace(1) %v, ptr addrspace(1) %x
  %c = icmp eq ptr addrspace(1) %x, null
  br i1 %c, label %a, label %d
d:
  ret void
}
;--- loop
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9 opt={0,1,2,3}
; IR=1: store i8 1, ptr
; RUN: barriers=auto safepoints=backedge poll=call:arrive barrier=card:cards:9 opt={0,1,2,3}
; IR=2: store i8 1, ptr
declare void @arrive()
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store volatile ptr addrspace(1) %v, ptr addrspace(1) %o
  br label %a
a:
  store volatile ptr addrspace(1) %v, ptr addrspace(1) %o
  %x = load volatile i64, ptr %p
  %c = icmp eq i64 %x, 0
  br i1 %c, label %a, label %d
d:
  ret void
}
