; What does not fit is refused.
;--- card:BASE:SHIFT
; RUN: barrier={card,card:a,card:a:b,card:a:64,card:a:9:1,satb:a,satb:1:b,load:a,load:heal:0,load:a:b:c,cards:a:9,card::9,load:llvm.trap:a} safepoints=none
; RUN: barrier=card:a:9,satb safepoints=none
; RUN: barrier=card:a:9,card:b:9 safepoints=none
; STATUS: invalid_option
; ERROR: card:BASE:SHIFT
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- ptr slot
; RUN: safepoints=none
; STATUS: barrier_conflict
; ERROR: ptr slot
define void @gc.write_barrier(ptr addrspace(1) %v) {
  ret void
}
;--- ret i64 0
; RUN: safepoints=none
; STATUS: barrier_conflict
; ERROR: ptr slot
define i64 @gc.read_barrier(ptr %o, ptr %s) {
  ret i64 0
}
;--- gc.write_barrier
; RUN: safepoints=none
; STATUS: barrier_conflict
; ERROR: gc.write_barrier
@gc.write_barrier = global i8 0
;--- ret ptr null
; RUN: safepoints=none
; STATUS: barrier_conflict
; ERROR: gc.write_barrier
define internal ptr @pick() {
  ret ptr null
}
@gc.write_barrier = ifunc void (ptr, ptr, ptr), ptr @pick
;--- 'gc.write_barrier' is in the module
; RUN: safepoints=none
; STATUS: barrier_conflict
; ERROR: 'gc.write_barrier' is in the module, but is not a function void(ptr value, ptr o
; AT=1: @gc.write_barrier = global i8 0

@gc.write_barrier = global i8 0
;--- @gc = global i8 0
; RUN: safepoints=none
; STATUS: barrier_conflict
; ERROR: 'gc.write_barrier' is in the module, but is not a function void(ptr value, ptr o
; AT=1: define void @gc.write_barrier(ptr addrspace(1) %v) {
@gc = global i8 0

define void @gc.write_barrier(ptr addrspace(1) %v) {
  ret void
}
;--- of its own
; RUN: safepoints=none barrier=card:cards:9
; STATUS: barrier_conflict
; ERROR: of its own
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
;--- void(ptr addrspace(1), ptr addrspace(1)
; RUN: safepoints=none
; STATUS: barrier_conflict
; ERROR: void(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) is needed
define void @gc.write_barrier(ptr %v, ptr %o, ptr %s) {
  ret void
}
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- of type ptr
; RUN: safepoints=none barrier=card:cards:9
; STATUS: barrier_conflict
; ERROR: of type ptr
@cards = global i64 0
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- void(ptr)
; RUN: safepoints=none barrier=satb:keep:marking
; STATUS: barrier_conflict
; ERROR: void(ptr)
declare void @keep(ptr)
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- i64
; RUN: safepoints=none barrier=load:heal:bad_bits
; STATUS: barrier_conflict
; ERROR: i64
@bad_bits = global i8 0
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
;--- calls itself
; RUN: safepoints=none opt=0
; STATUS: barrier_conflict
; ERROR: calls itself
define void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  call void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- call void @llvm.gcwrite.p1(i64 0)
; RUN: safepoints=none
; STATUS: invalid_module
; ERROR: ptr slot
declare void @llvm.gcwrite.p1(i64)
define void @f() gc "statepoint-example" {
  call void @llvm.gcwrite.p1(i64 0)
  ret void
}
