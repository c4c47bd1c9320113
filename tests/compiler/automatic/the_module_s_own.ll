; What the module's own barrier does says which it needs to be told.
;--- 1
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none opt={0,1,2,3}
; IR=1: store volatile i8 7, ptr addrspace(1)
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  store volatile i8 7, ptr addrspace(1) %o
  ret void
}
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
;--- store volatile i8 0, ptr %p
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none opt={0,1,2,3}
; IR-NOT: store volatile i8 7, ptr addrspace(1)
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  store volatile i8 7, ptr addrspace(1) %o
  ret void
}
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store volatile i8 0, ptr %p
  store ptr addrspace(1) null, ptr addrspace(1) %o
  ret void
}
;--- %old = load ref, ref %s
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none opt={0,1,2,3}
; IR=2: store volatile i8 7, ptr addrspace(1)
declare void @tell(ptr addrspace(1))
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  %old = load ptr addrspace(1), ptr addrspace(1) %s
  store volatile i8 7, ptr addrspace(1) %o
  call void @tell(ptr addrspace(1) %old) "gc-leaf-function"
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
;--- store volatile i8 7, ref %o
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none opt={0,1,2,3}
; IR=1: store volatile i8 7, ptr addrspace(1)
declare void @tell(ptr addrspace(1))
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  %old = load ptr addrspace(1), ptr addrspace(1) %s
  store volatile i8 7, ptr addrspace(1) %o
  call void @tell(ptr addrspace(1) %old) "gc-leaf-function"
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store volatile i8 0, ptr %p
  store ptr addrspace(1) null, ptr addrspace(1) %o
  ret void
}
;--- call void @tell(ref %s) "gc-leaf-function"
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none opt={0,1,2,3}
; IR=2: store volatile i8 7, ptr addrspace(1)
declare void @tell(ptr addrspace(1))
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  store volatile i8 7, ptr addrspace(1) %o
  call void @tell(ptr addrspace(1) %s) "gc-leaf-function"
  ret void
}
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
;--- store ref %v, ref %s
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none opt={0,1,2,3}
; IR-NOT: store volatile i8 7, ptr addrspace(1)
declare void @tell(ptr addrspace(1))
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  store volatile i8 7, ptr addrspace(1) %o
  call void @tell(ptr addrspace(1) %s) "gc-leaf-function"
  ret void
}
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store volatile i8 0, ptr %p
  store ptr addrspace(1) null, ptr addrspace(1) %o
  ret void
}
;--- %young = icmp ugt ref %v, %o
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none opt={0,1,2,3}
; IR=2: store volatile i8 7, ptr addrspace(1)
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  %young = icmp ugt ptr addrspace(1) %v, %o
  %b = zext i1 %young to i8
  store volatile i8 7, ptr addrspace(1) %o
  store volatile i8 %b, ptr addrspace(1) %o
  ret void
}
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
;--- %b = zext i1 %young to i8
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none opt={0,1,2,3}
; IR-NOT: store volatile i8 7, ptr addrspace(1)
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  %young = icmp ugt ptr addrspace(1) %v, %o
  %b = zext i1 %young to i8
  store volatile i8 7, ptr addrspace(1) %o
  store volatile i8 %b, ptr addrspace(1) %o
  ret void
}
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store volatile i8 0, ptr %p
  store ptr addrspace(1) null, ptr addrspace(1) %o
  ret void
}
;--- volatile or atomic
; RUN: barriers=auto safepoints=none
; STATUS: barrier_conflict
; ERROR: volatile or atomic
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store volatile ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
;--- exchange
; RUN: barriers=auto safepoints=none
; STATUS: barrier_conflict
; ERROR: exchange
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  %x = atomicrmw xchg ptr addrspace(1) %o, ptr addrspace(1) %v seq_cst
  ret void
}
;--- 'old'
; RUN: barriers=auto safepoints=none barrier=satb:old:flag
; STATUS: barrier_conflict
; ERROR: 'old'
define internal ptr @pick() {
  ret ptr null
}
@old = ifunc void (ptr), ptr @pick
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
;--- 'flag'
; RUN: barriers=auto safepoints=none barrier=satb:old:flag
; STATUS: barrier_conflict
; ERROR: 'flag'
define internal ptr @pick() {
  ret ptr null
}
@flag = ifunc void (), ptr @pick
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
;--- smd-elide
; RUN: barriers=auto safepoints=none
; STATUS: invalid_option
; ERROR: smd-elide
declare void @gc.write_barrier(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) "smd-elide"="some"
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
;--- barriers=auto inserts none
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none
; WARNING=1: barriers=auto inserts none
; RUN: safepoints=none barrier=card:18446744073709551616:9
; STATUS: invalid_option
; ERROR: card:BASE:SHIFT
; RUN: safepoints=none barrier=load:-heal:1
; STATUS: invalid_option
; ERROR: load:SLOW:MASK
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
;--- auto and off
; RUN: safepoints=none
; STATUS: invalid_option
; ERROR: auto and off
define void @f(ptr addrspace(1) %o) "smd-barriers"="on" gc "statepoint-example" {
  ret void
}
;--- store ref %v, ref @g
; RUN: barriers=auto emit=obj,ir,remarks safepoints=none barrier=card:cards:9
; IR-NOT: @cards
@g = addrspace(1) global ptr addrspace(1) null
define void @f(ptr addrspace(1) %v, ptr addrspace(1) %o, i64 %i, ptr %p) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) @g
  ret void
}
