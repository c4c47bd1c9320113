; A poll of the module's own without a body is called, at every level, for the reason of its place.
;--- br label %loop
; RUN: opt={0,1,2,3} safepoints=entry,backedge
; SAFEPOINTS callee=gc.safepoint_poll: 2
; SAFEPOINTS reason=entry-poll: 1
; SAFEPOINTS reason=backedge-poll: 1
; RUN: opt={0,1,2,3} safepoints=return poll_interval=3
; SAFEPOINTS reason=return-poll: 1
declare void @gc.safepoint_poll()
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
;--- ret ptr null
; RUN: opt={0,1,2,3} safepoints=entry
; SAFEPOINTS reason=entry-poll: 1
declare void @gc.safepoint_poll()
define ptr @f(ptr %p) gc "ocaml" {
  ret ptr null
}
