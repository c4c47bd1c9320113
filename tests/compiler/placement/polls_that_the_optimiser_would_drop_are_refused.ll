; What a poll calls must not be said to do nothing: its calls would go, by level and place.
;--- stop is declared
; RUN: opt={0,1,2,3} poll={call:stop,flag:asked:stop}
; STATUS: safepoint_poll_conflict
; ERROR: stop is declared
declare void @stop() memory(none)
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- define void @gc.safepoint_poll() {
; RUN: opt={0,1,2,3}
; STATUS: safepoint_poll_conflict
; ERROR: stop is declared
declare void @stop() memory(none)
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- gc.safepoint_poll is declared
; RUN: opt={0,1,2,3}
; STATUS: safepoint_poll_conflict
; ERROR: gc.safepoint_poll is declared
declare void @gc.safepoint_poll() memory(none)
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- declare void @stop() memory(none) nounwind willreturn
; RUN: opt={0,1,2,3} poll={call:stop,flag:asked:stop}
; STATUS: safepoint_poll_conflict
; ERROR: stop is declared
declare void @stop() memory(none) nounwind willreturn
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- call void @stop()
; RUN: opt={0,1,2,3}
; STATUS: safepoint_poll_conflict
; ERROR: stop is declared
declare void @stop() memory(none) nounwind willreturn
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- declare void @gc.safepoint_poll() memory(none) nounwind
; RUN: opt={0,1,2,3}
; STATUS: safepoint_poll_conflict
; ERROR: gc.safepoint_poll is declared
declare void @gc.safepoint_poll() memory(none) nounwind willreturn
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- declare void @stop() memory(read) nounwind willreturn
; RUN: opt={0,1,2,3} poll={call:stop,flag:asked:stop}
; STATUS: safepoint_poll_conflict
; ERROR: stop is declared
declare void @stop() memory(read) nounwind willreturn
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- ret void
; RUN: opt={0,1,2,3}
; STATUS: safepoint_poll_conflict
; ERROR: stop is declared
declare void @stop() memory(read) nounwind willreturn
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- declare void @gc.safepoint_poll() memory(read) nounwind
; RUN: opt={0,1,2,3}
; STATUS: safepoint_poll_conflict
; ERROR: gc.safepoint_poll is declared
declare void @gc.safepoint_poll() memory(read) nounwind willreturn
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- declare void @stop() memory(argmem: readwrite)
; RUN: opt={0,1,2,3} poll={call:stop,flag:asked:stop}
; STATUS: safepoint_poll_conflict
; ERROR: stop is declared
declare void @stop() memory(argmem: readwrite)
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- br label %loop
; RUN: opt={0,1,2,3}
; STATUS: safepoint_poll_conflict
; ERROR: stop is declared
declare void @stop() memory(argmem: readwrite)
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- declare void @gc.safepoint_poll() memory(argmem: readwrite)
; RUN: opt={0,1,2,3}
; STATUS: safepoint_poll_conflict
; ERROR: gc.safepoint_poll is declared
declare void @gc.safepoint_poll() memory(argmem: readwrite)
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- declare void @stop() speculatable
; RUN: opt={0,1,2,3} poll={call:stop,flag:asked:stop}
; STATUS: safepoint_poll_conflict
; ERROR: stop is declared
declare void @stop() speculatable
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- %v = load volatile i8, ptr %p
; RUN: opt={0,1,2,3}
; STATUS: safepoint_poll_conflict
; ERROR: stop is declared
declare void @stop() speculatable
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- declare void @gc.safepoint_poll() speculatable
; RUN: opt={0,1,2,3}
; STATUS: safepoint_poll_conflict
; ERROR: gc.safepoint_poll is declared
declare void @gc.safepoint_poll() speculatable
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- inaccessible memory alone
; RUN: safepoints=entry poll=call:stop
; STATUS: safepoint_poll_conflict
; ERROR: inaccessible memory alone
declare void @stop() memory(inaccessiblemem: readwrite)
define ptr @f(ptr %p) gc "ocaml" {
  ret ptr null
}
