; Names that are an alias's or an ifunc's, which no look for a function finds: refused, and not
; taken for free.
;--- gc.safepoint_poll
; RUN:
; STATUS: safepoint_poll_conflict
; ERROR: gc.safepoint_poll
define internal void @body() {
  ret void
}
define internal ptr @pick() {
  ret ptr @body
}
@gc.safepoint_poll = alias void (), ptr @body
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
;--- arrive
; RUN: poll={call:arrive,flag:wanted:arrive}
; STATUS: safepoint_poll_conflict
; ERROR: arrive
define internal void @body() {
  ret void
}
define internal ptr @pick() {
  ret ptr @body
}
@arrive = alias void (), ptr @body
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
;--- wanted
; RUN: poll=flag:wanted:arrive
; STATUS: safepoint_poll_conflict
; ERROR: wanted
define internal void @body() {
  ret void
}
define internal ptr @pick() {
  ret ptr @body
}
@wanted = alias void (), ptr @body
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
;--- a_page
; RUN: poll=page:a_page
; STATUS: safepoint_poll_conflict
; ERROR: a_page
define internal void @body() {
  ret void
}
define internal ptr @pick() {
  ret ptr @body
}
@a_page = alias void (), ptr @body
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
;--- @gc.safepoint_poll = ifunc void (), ptr @pick
; RUN:
; STATUS: safepoint_poll_conflict
; ERROR: gc.safepoint_poll
define internal void @body() {
  ret void
}
define internal ptr @pick() {
  ret ptr @body
}
@gc.safepoint_poll = ifunc void (), ptr @pick
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
;--- @arrive = ifunc void (), ptr @pick
; RUN: poll={call:arrive,flag:wanted:arrive}
; STATUS: safepoint_poll_conflict
; ERROR: arrive
define internal void @body() {
  ret void
}
define internal ptr @pick() {
  ret ptr @body
}
@arrive = ifunc void (), ptr @pick
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
;--- @wanted = ifunc void (), ptr @pick
; RUN: poll=flag:wanted:arrive
; STATUS: safepoint_poll_conflict
; ERROR: wanted
define internal void @body() {
  ret void
}
define internal ptr @pick() {
  ret ptr @body
}
@wanted = ifunc void (), ptr @pick
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
;--- @a_page = ifunc void (), ptr @pick
; RUN: poll=page:a_page
; STATUS: safepoint_poll_conflict
; ERROR: a_page
define internal void @body() {
  ret void
}
define internal ptr @pick() {
  ret ptr @body
}
@a_page = ifunc void (), ptr @pick
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
