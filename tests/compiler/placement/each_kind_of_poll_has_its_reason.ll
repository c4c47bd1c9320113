; Each kind of poll has its reason.
;--- br label %loop
; RUN: safepoints=entry
; STACKMAP=1: "reason":"entry-poll","callee":"stop"
; SAFEPOINTS: 1
; RUN: safepoints=backedge
; SAFEPOINTS reason=backedge-poll: 1
; RUN: safepoints=entry,backedge
; SAFEPOINTS: 2
; RUN: safepoints=return
; SAFEPOINTS reason=return-poll: 1
; RUN: safepoints=none
; SAFEPOINTS: 0
declare void @stop()
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
;--- call void @g()
; RUN: safepoints=precall
; SAFEPOINTS reason=precall-poll: 2
; STACKMAP=2: "reason":"call","callee":"g"
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  call void @g()
  ret ptr addrspace(1) %p
}
