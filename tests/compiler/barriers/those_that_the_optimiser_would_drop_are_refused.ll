; Calls of what is declared to do nothing would go: by level, target and whether the result is used.
;--- gc.write_barrier is declared memory(none)
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: barrier_conflict
; ERROR: gc.write_barrier is declared memory(none)
declare void @gc.write_barrier(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) memory(none)
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- gc.read_barrier is declared
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: barrier_conflict
; ERROR: gc.read_barrier is declared
declare ptr addrspace(1) @gc.read_barrier(ptr addrspace(1), ptr addrspace(1)) memory(none)
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
;--- slow is declared
; RUN: opt={0,1,2,3} safepoints=none barrier=satb:slow:flag
; STATUS: barrier_conflict
; ERROR: slow is declared
declare void @slow(ptr) memory(none)
@flag = external global i8
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @f(ptr %v, ptr %o) gc "ocaml" {
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)
  ret void
}
;--- declare ptr @slow(ptr, ptr) memory(none)
; RUN: opt={0,1,2,3} safepoints=none barrier=load:slow:1
; STATUS: barrier_conflict
; ERROR: slow is declared
declare ptr @slow(ptr, ptr) memory(none)
@flag = external global i8
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @f(ptr %v, ptr %o) gc "ocaml" {
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)
  ret void
}
;--- is declared memory(none)
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: barrier_conflict
; ERROR: is declared memory(none)
declare void @gc.write_barrier(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) readnone nounwind willreturn
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- declare ref @gc.read_barrier(ref
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: barrier_conflict
; ERROR: gc.read_barrier is declared
declare ptr addrspace(1) @gc.read_barrier(ptr addrspace(1), ptr addrspace(1)) readnone nounwind willreturn
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
;--- declare void @slow(ptr) readnone nounwind willreturn
; RUN: opt={0,1,2,3} safepoints=none barrier=satb:slow:flag
; STATUS: barrier_conflict
; ERROR: slow is declared
declare void @slow(ptr) readnone nounwind willreturn
@flag = external global i8
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @f(ptr %v, ptr %o) gc "ocaml" {
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)
  ret void
}
;--- declare ptr @slow(ptr, ptr) readnone nounwind willreturn
; RUN: opt={0,1,2,3} safepoints=none barrier=load:slow:1
; STATUS: barrier_conflict
; ERROR: slow is declared
declare ptr @slow(ptr, ptr) readnone nounwind willreturn
@flag = external global i8
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @f(ptr %v, ptr %o) gc "ocaml" {
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)
  ret void
}
;--- is declared memory(read)
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: barrier_conflict
; ERROR: is declared memory(read)
declare void @gc.write_barrier(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) readonly
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- declare ref @gc.read_barrier(ref, ref) readonly
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: barrier_conflict
; ERROR: gc.read_barrier is declared
declare ptr addrspace(1) @gc.read_barrier(ptr addrspace(1), ptr addrspace(1)) readonly
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
;--- declare void @slow(ptr) readonly
; RUN: opt={0,1,2,3} safepoints=none barrier=satb:slow:flag
; STATUS: barrier_conflict
; ERROR: slow is declared
declare void @slow(ptr) readonly
@flag = external global i8
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @f(ptr %v, ptr %o) gc "ocaml" {
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)
  ret void
}
;--- declare ptr @slow(ptr, ptr) readonly
; RUN: opt={0,1,2,3} safepoints=none barrier=load:slow:1
; STATUS: barrier_conflict
; ERROR: slow is declared
declare ptr @slow(ptr, ptr) readonly
@flag = external global i8
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @f(ptr %v, ptr %o) gc "ocaml" {
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)
  ret void
}
;--- is declared speculatable
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: barrier_conflict
; ERROR: is declared speculatable
declare void @gc.write_barrier(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) speculatable
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- declare ref @gc.read_barrier(ref, ref) speculatable
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: barrier_conflict
; ERROR: gc.read_barrier is declared
declare ptr addrspace(1) @gc.read_barrier(ptr addrspace(1), ptr addrspace(1)) speculatable
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
;--- declare void @slow(ptr) speculatable
; RUN: opt={0,1,2,3} safepoints=none barrier=satb:slow:flag
; STATUS: barrier_conflict
; ERROR: slow is declared
declare void @slow(ptr) speculatable
@flag = external global i8
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @f(ptr %v, ptr %o) gc "ocaml" {
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)
  ret void
}
;--- declare ptr @slow(ptr, ptr) speculatable
; RUN: opt={0,1,2,3} safepoints=none barrier=load:slow:1
; STATUS: barrier_conflict
; ERROR: slow is declared
declare ptr @slow(ptr, ptr) speculatable
@flag = external global i8
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @f(ptr %v, ptr %o) gc "ocaml" {
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)
  ret void
}
;--- is declared noreturn
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: barrier_conflict
; ERROR: is declared noreturn
declare void @gc.write_barrier(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) noreturn
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- declare ref @gc.read_barrier(ref, ref) noreturn
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: barrier_conflict
; ERROR: gc.read_barrier is declared
declare ptr addrspace(1) @gc.read_barrier(ptr addrspace(1), ptr addrspace(1)) noreturn
declare ptr addrspace(1) @llvm.gcread(ptr addrspace(1), ptr addrspace(1))
define ptr addrspace(1) @get(ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  %v = call ptr addrspace(1) @llvm.gcread(ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret ptr addrspace(1) %v
}
;--- declare void @slow(ptr) noreturn
; RUN: opt={0,1,2,3} safepoints=none barrier=satb:slow:flag
; STATUS: barrier_conflict
; ERROR: slow is declared
declare void @slow(ptr) noreturn
@flag = external global i8
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @f(ptr %v, ptr %o) gc "ocaml" {
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)
  ret void
}
;--- declare ptr @slow(ptr, ptr) noreturn
; RUN: opt={0,1,2,3} safepoints=none barrier=load:slow:1
; STATUS: barrier_conflict
; ERROR: slow is declared
declare ptr @slow(ptr, ptr) noreturn
@flag = external global i8
declare void @llvm.gcwrite(ptr, ptr, ptr)
define void @f(ptr %v, ptr %o) gc "ocaml" {
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %o)
  ret void
}
;--- mark is declared memory(none)
; RUN: safepoints=none
; STATUS: barrier_conflict
; ERROR: mark is declared memory(none)
declare void @mark(ptr addrspace(1)) memory(none)
define void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  call void @mark(ptr addrspace(1) %o)
  ret void
}
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
;--- declare void @gc.write_barrier(ref, ref, ref) memory(argmem
; RUN: opt={0,1,2,3} safepoints=none
; IR=1: @gc.write_barrier, i32 3
declare void @gc.write_barrier(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) memory(argmem: readwrite, inaccessiblemem: readwrite) nounwind willreturn
declare void @llvm.gcwrite(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
define void @set(ptr addrspace(1) %v, ptr addrspace(1) %o) gc "statepoint-example" {
  %s = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @llvm.gcwrite(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s)
  ret void
}
