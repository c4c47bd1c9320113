; The module, the option and the attribute say what a poll is, and which there are; by default
; nobody has to.
;--- own
; RUN:
; STACKMAP=4: "kind":"gcroot"
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
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
;--- has to say what a poll is
; RUN:
; STACKMAP=2: "kind":"gcroot"
; RUN: safepoints=entry
; STACKMAP=2: "kind":"gcroot"
; WARNING=1: has to say what a poll is
; RUN: poll=page:page safepoints=entry
; WARNING=1: No polls: page polls
; RUN: poll=call:stop
; REMARKS=1: 1 backedge-poll(s) placed
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
;--- gc.safepoint_poll
; RUN:
; STATUS: missing_safepoint_poll
; ERROR: gc.safepoint_poll
declare void @llvm.gcroot(ptr, ptr)
declare ptr @alloc()
declare void @use(ptr)
define ptr @f(ptr %arg, i32 %n) "smd-safepoints"="entry" gc "ocaml" {
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
;--- define ptr @f(ptr %arg
; RUN: poll=call:stop
; STACKMAP=2: gcroot
declare void @llvm.gcroot(ptr, ptr)
declare ptr @alloc()
declare void @use(ptr)
define ptr @f(ptr %arg, i32 %n) "smd-safepoints"="none" gc "ocaml" {
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
