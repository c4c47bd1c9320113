; What is alive and in no root would be lost: there is no poll, and a warning.
;--- may keep an object's address, and is no root
; RUN: poll=call:stop opt={0,2}
; WARNING=1: may keep an object's address, and is no root
; IR-NOT: call void @stop()
declare void @llvm.gcroot(ptr, ptr)
define i64 @f(ptr %a) gc "erlang" {
  %root = alloca ptr
  %slot = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  store ptr %a, ptr %slot
  %b = load ptr, ptr %slot
  %v = load i64, ptr %b
  ret i64 %v
}
;--- store volatile ptr %a, ptr %slot
; RUN: poll=call:stop opt={0,2}
; WARNING=1: may keep an object's address, and is no root
; IR-NOT: call void @stop()
declare void @llvm.gcroot(ptr, ptr)
define i64 @f(ptr %a) gc "erlang" {
  %root = alloca ptr
  %slot = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  store volatile ptr %a, ptr %slot
  ret i64 0
}
;--- call void @out(ptr %slot)
; RUN: poll=call:stop opt={0,2}
; WARNING=1: may keep an object's address, and is no root
; IR-NOT: call void @stop()
declare void @llvm.gcroot(ptr, ptr)
declare void @out(ptr)
define i64 @f(ptr %a) gc "erlang" {
  %root = alloca ptr
  %slot = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  call void @out(ptr %slot)
  ret i64 0
}
;--- call void @llvm.memcpy.p0.p0.i64(ptr %slot, ptr %root, i64 8
; RUN: poll=call:stop opt={0,2}
; WARNING=1: may keep an object's address, and is no root
; IR-NOT: call void @stop()
declare void @llvm.gcroot(ptr, ptr)
define i64 @f(ptr %a) gc "erlang" {
  %root = alloca ptr
  %slot = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  call void @llvm.memcpy.p0.p0.i64(ptr %slot, ptr %root, i64 8, i1 false)
  ret i64 0
}
;--- %n = ptrtoint ptr %a to i64
; RUN: poll=call:stop opt={0,2}
; WARNING=1: may keep an object's address, and is no root
; IR-NOT: call void @stop()
declare void @llvm.gcroot(ptr, ptr)
define i64 @f(ptr %a) gc "erlang" {
  %root = alloca ptr
  %slot = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  %n = ptrtoint ptr %a to i64
  %m = add i64 %n, 8
  ret i64 %m
}
;--- %n = load i64, ptr %root
; RUN: poll=call:stop opt={0,2}
; WARNING=1: may keep an object's address, and is no root
; IR-NOT: call void @stop()
declare void @llvm.gcroot(ptr, ptr)
define i64 @f(ptr %a) gc "erlang" {
  %root = alloca ptr
  %slot = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  %n = load i64, ptr %root
  ret i64 %n
}
;--- open to all
; RUN: poll=call:stop opt=0
; IR=1: call void @stop()
declare void @llvm.gcroot(ptr, ptr)
define i64 @f(ptr %a) gc "erlang" {
  %root = alloca ptr
  %slot = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  store ptr null, ptr %slot
  %b = load ptr, ptr %slot
  %v = ptrtoint ptr %b to i64
  ret i64 0
}
;--- No entry poll at the function's begin: %a is alive
; RUN: poll=call:stop
; WARNING=1: No entry poll at the function's begin: %a is alive
; RUN: poll=call:stop emit=ir
; IR-NOT: @stop
define ptr @f(ptr %a) gc "erlang" {
  ret ptr %a
}
;--- No backedge poll at the end of a loop's turn: %next
; RUN: poll=call:stop opt=0
; IR=1: call void @stop()
; RUN: poll=call:stop
; WARNING=1: No backedge poll at the end of a loop's turn: %next
declare void @llvm.gcroot(ptr, ptr)
define void @f(ptr %a) gc "erlang" {
entry:
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %p
  %c = icmp eq ptr %next, null
  br i1 %c, label %out, label %loop
out:
  ret void
}
;--- store ptr %o, ptr %root
; RUN: poll=call:stop safepoints=postcall
; WARNING-NOT: No postcall poll at the call of alloc: %o
; RUN: poll=call:stop safepoints=postcall emit=ir opt=0
; IR: store i64 1, ptr %a, align 8
; THEN: call void @stop()
declare void @llvm.gcroot(ptr, ptr)
declare ptr @alloc()
define void @f(ptr %a) gc "erlang" {
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %a, ptr %root
  %o = call ptr @alloc()
  store ptr %o, ptr %root
  store i64 1, ptr %a
  ret void
}
;--- No return poll before a return: %o
; RUN: poll=call:stop safepoints=return
; WARNING=1: No return poll before a return: %o
declare ptr @alloc()
define ptr @f() gc "erlang" {
  %o = call ptr @alloc()
  ret ptr %o
}
