; Barriers in all strategies.
; RUN: opt={0,1,2,3} safepoints=none
; IR=3: store volatile i8 7
; IR=2: load volatile ptr
; IR-NOT: llvm.gc
;--- define void @f(ptr %v, ptr %o) gc "statepoint-example"{
declare void @llvm.gcwrite(ptr, ptr, ptr)
declare ptr @llvm.gcread(ptr, ptr)
define void @gc.write_barrier(ptr %v, ptr %o, ptr %s) {
  store ptr %v, ptr %s
  store volatile i8 7, ptr %o
  ret void
}
define ptr @gc.read_barrier(ptr %o, ptr %s) {
  %v = load volatile ptr, ptr %s
  ret ptr %v
}
define void @f(ptr %v, ptr %o) gc "statepoint-example"{
  %s = getelementptr i8, ptr %o, i64 8
  %r = call ptr @llvm.gcread(ptr %o, ptr %s)
  call void @llvm.gcwrite(ptr %r, ptr %o, ptr %s)
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %s)
  ret void
}
;--- define void @f(ptr %v, ptr %o) gc "coreclr"{
declare void @llvm.gcwrite(ptr, ptr, ptr)
declare ptr @llvm.gcread(ptr, ptr)
define void @gc.write_barrier(ptr %v, ptr %o, ptr %s) {
  store ptr %v, ptr %s
  store volatile i8 7, ptr %o
  ret void
}
define ptr @gc.read_barrier(ptr %o, ptr %s) {
  %v = load volatile ptr, ptr %s
  ret ptr %v
}
define void @f(ptr %v, ptr %o) gc "coreclr"{
  %s = getelementptr i8, ptr %o, i64 8
  %r = call ptr @llvm.gcread(ptr %o, ptr %s)
  call void @llvm.gcwrite(ptr %r, ptr %o, ptr %s)
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %s)
  ret void
}
;--- define void @f(ptr %v, ptr %o) gc "shadow-stack"{
declare void @llvm.gcwrite(ptr, ptr, ptr)
declare ptr @llvm.gcread(ptr, ptr)
define void @gc.write_barrier(ptr %v, ptr %o, ptr %s) {
  store ptr %v, ptr %s
  store volatile i8 7, ptr %o
  ret void
}
define ptr @gc.read_barrier(ptr %o, ptr %s) {
  %v = load volatile ptr, ptr %s
  ret ptr %v
}
define void @f(ptr %v, ptr %o) gc "shadow-stack"{
  %s = getelementptr i8, ptr %o, i64 8
  %r = call ptr @llvm.gcread(ptr %o, ptr %s)
  call void @llvm.gcwrite(ptr %r, ptr %o, ptr %s)
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %s)
  ret void
}
;--- define void @f(ptr %v, ptr %o) gc "erlang"{
declare void @llvm.gcwrite(ptr, ptr, ptr)
declare ptr @llvm.gcread(ptr, ptr)
define void @gc.write_barrier(ptr %v, ptr %o, ptr %s) {
  store ptr %v, ptr %s
  store volatile i8 7, ptr %o
  ret void
}
define ptr @gc.read_barrier(ptr %o, ptr %s) {
  %v = load volatile ptr, ptr %s
  ret ptr %v
}
define void @f(ptr %v, ptr %o) gc "erlang"{
  %s = getelementptr i8, ptr %o, i64 8
  %r = call ptr @llvm.gcread(ptr %o, ptr %s)
  call void @llvm.gcwrite(ptr %r, ptr %o, ptr %s)
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %s)
  ret void
}
;--- define void @f(ptr %v, ptr %o) gc "ocaml"{
declare void @llvm.gcwrite(ptr, ptr, ptr)
declare ptr @llvm.gcread(ptr, ptr)
define void @gc.write_barrier(ptr %v, ptr %o, ptr %s) {
  store ptr %v, ptr %s
  store volatile i8 7, ptr %o
  ret void
}
define ptr @gc.read_barrier(ptr %o, ptr %s) {
  %v = load volatile ptr, ptr %s
  ret ptr %v
}
define void @f(ptr %v, ptr %o) gc "ocaml"{
  %s = getelementptr i8, ptr %o, i64 8
  %r = call ptr @llvm.gcread(ptr %o, ptr %s)
  call void @llvm.gcwrite(ptr %r, ptr %o, ptr %s)
  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %s)
  ret void
}
