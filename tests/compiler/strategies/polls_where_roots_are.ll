; The object and a pointer into it are alive through the loop.
;--- define ptr @f(ptr %arg, i32 %n) gc "erlang" {
; RUN: poll=call:stop opt={0,2} safepoints=none
; IR-NOT: call void @stop()
; WARNING-NOT: alive there
; RUN: poll=call:stop opt={0,2} safepoints={entry,backedge,return}
; IR=1: call void @stop()
; WARNING-NOT: alive there
; RUN: poll=call:stop opt={0,2} safepoints=entry,backedge
; RUN: poll=call:stop opt={0,2} safepoints={precall,postcall}
; IR=2: call void @stop()
; WARNING-NOT: alive there
; RUN: poll=call:stop opt={0,2} safepoints=entry,loop,return,precall,postcall
; IR=6: call void @stop()
; WARNING-NOT: alive there
; RUN: poll=call:stop
; STACKMAP=4: "kind":"gcroot"
; RUN: poll=call:stop safepoints=none
; STACKMAP=2: "kind":"gcroot"
; RUN: poll=call:stop safepoints=backedge emit=ir opt=0
; IR: load ptr, ptr %root, align 8
; THEN: store ptr
; THEN: load ptr, ptr %root, align 8
; THEN: store ptr
; RUN: poll=flag:wanted:stop emit=ir
; IR=2: load volatile i8, ptr @wanted
declare void @llvm.gcroot(ptr, ptr)
declare ptr @alloc()
declare void @use(ptr)
define ptr @f(ptr %arg, i32 %n) gc "erlang" {
entry:
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %arg, ptr %root
  %x = load ptr, ptr %root
  %d = getelementptr i8, ptr %x, i64 8
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  store volatile i32 %i, ptr %d
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %out
out:
  %o = call ptr @alloc()
  store ptr %o, ptr %root
  call void @use(ptr %o)
  %r = load ptr, ptr %root
  ret ptr %r
}
;--- define ptr @f(ptr %arg, i32 %n) gc "ocaml" {
; RUN: poll=call:stop opt={0,2} safepoints=none
; IR-NOT: call void @stop()
; WARNING-NOT: alive there
; RUN: poll=call:stop opt={0,2} safepoints={entry,backedge,return}
; IR=1: call void @stop()
; WARNING-NOT: alive there
; RUN: poll=call:stop opt={0,2} safepoints=entry,backedge
; RUN: poll=call:stop opt={0,2} safepoints={precall,postcall}
; IR=2: call void @stop()
; WARNING-NOT: alive there
; RUN: poll=call:stop opt={0,2} safepoints=entry,loop,return,precall,postcall
; IR=6: call void @stop()
; WARNING-NOT: alive there
declare void @llvm.gcroot(ptr, ptr)
declare ptr @alloc()
declare void @use(ptr)
define ptr @f(ptr %arg, i32 %n) gc "ocaml" {
entry:
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %arg, ptr %root
  %x = load ptr, ptr %root
  %d = getelementptr i8, ptr %x, i64 8
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  store volatile i32 %i, ptr %d
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %out
out:
  %o = call ptr @alloc()
  store ptr %o, ptr %root
  call void @use(ptr %o)
  %r = load ptr, ptr %root
  ret ptr %r
}
;--- define ptr @f(ptr %arg, i32 %n) gc "shadow-stack" {
; RUN: poll=call:stop opt={0,2} safepoints=none
; IR-NOT: call void @stop()
; WARNING-NOT: alive there
; RUN: poll=call:stop opt={0,2} safepoints={entry,backedge,return}
; IR=1: call void @stop()
; WARNING-NOT: alive there
; RUN: poll=call:stop opt={0,2} safepoints=entry,backedge
; RUN: poll=call:stop opt={0,2} safepoints={precall,postcall}
; IR=2: call void @stop()
; WARNING-NOT: alive there
; RUN: poll=call:stop opt={0,2} safepoints=entry,loop,return,precall,postcall
; IR=6: call void @stop()
; WARNING-NOT: alive there
declare void @llvm.gcroot(ptr, ptr)
declare ptr @alloc()
declare void @use(ptr)
define ptr @f(ptr %arg, i32 %n) gc "shadow-stack" {
entry:
  %root = alloca ptr
  call void @llvm.gcroot(ptr %root, ptr null)
  store ptr %arg, ptr %root
  %x = load ptr, ptr %root
  %d = getelementptr i8, ptr %x, i64 8
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  store volatile i32 %i, ptr %d
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %out
out:
  %o = call ptr @alloc()
  store ptr %o, ptr %root
  call void @use(ptr %o)
  %r = load ptr, ptr %root
  ret ptr %r
}
