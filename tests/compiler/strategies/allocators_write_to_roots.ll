; An allocator that says to write memory which nobody sees still moves what the caller's roots hold.
; RUN: safepoints=none opt={0,1,2,3}
; IR=1: store ptr %v, ptr %s
; IR=1: %r = load ptr, ptr %s
; IR=1: ret ptr %r
; IR=1: call ptr @alloc(i64 8)
;--- 1
declare ptr @alloc(i64) nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.gcroot(ptr, ptr)
define ptr @f(ptr %v) gc "shadow-stack" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %v, ptr %s
  %n = call ptr @alloc(i64 8) 
  %r = load ptr, ptr %s
  store ptr null, ptr %s
  ret ptr %r
}
;--- declare ptr @alloc(i64) nounwind willreturn
declare ptr @alloc(i64) nounwind willreturn 
declare void @llvm.gcroot(ptr, ptr)
define ptr @f(ptr %v) gc "shadow-stack" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %v, ptr %s
  %n = call ptr @alloc(i64 8) memory(inaccessiblemem: readwrite)
  %r = load ptr, ptr %s
  store ptr null, ptr %s
  ret ptr %r
}
;--- declare ptr @alloc(i64) nounwind willreturn
declare ptr @alloc(i64) nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.gcroot(ptr, ptr)
define ptr @f(ptr %v) gc "erlang" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %v, ptr %s
  %n = call ptr @alloc(i64 8) 
  %r = load ptr, ptr %s
  store ptr null, ptr %s
  ret ptr %r
}
;--- define ptr @f(ptr %v) gc "erlang" {
declare ptr @alloc(i64) nounwind willreturn 
declare void @llvm.gcroot(ptr, ptr)
define ptr @f(ptr %v) gc "erlang" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %v, ptr %s
  %n = call ptr @alloc(i64 8) memory(inaccessiblemem: readwrite)
  %r = load ptr, ptr %s
  store ptr null, ptr %s
  ret ptr %r
}
;--- define ptr @f(ptr %v) gc "ocaml" {
declare ptr @alloc(i64) nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.gcroot(ptr, ptr)
define ptr @f(ptr %v) gc "ocaml" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %v, ptr %s
  %n = call ptr @alloc(i64 8) 
  %r = load ptr, ptr %s
  store ptr null, ptr %s
  ret ptr %r
}
;--- %s = alloca ptr
declare ptr @alloc(i64) nounwind willreturn 
declare void @llvm.gcroot(ptr, ptr)
define ptr @f(ptr %v) gc "ocaml" {
  %s = alloca ptr
  call void @llvm.gcroot(ptr %s, ptr null)
  store ptr %v, ptr %s
  %n = call ptr @alloc(i64 8) memory(inaccessiblemem: readwrite)
  %r = load ptr, ptr %s
  store ptr null, ptr %s
  ret ptr %r
}
