; LLVM's place-safepoints asserts, or dies, where the module has no poll to inline, or one of another type.
;--- none
; RUN: opt={0,1,2,3} safepoints=entry,backedge
; STATUS: missing_safepoint_poll
; ERROR @f: A safepoint poll is needed here
define void @f(i1 %c) gc "statepoint-example" {
entry:
  br label %loop

loop:
  br i1 %c, label %loop, label %out

out:
  ret void
}
;--- of another type
; RUN: opt={0,1,2,3} safepoints=entry,backedge
; STATUS: safepoint_poll_conflict
; ERROR: 'gc.safepoint_poll' is in the module, but is not a function void()
define i32 @gc.safepoint_poll(i32 %x) {
  ret i32 %x
}
define void @f(i1 %c) gc "statepoint-example" {
entry:
  br label %loop

loop:
  br i1 %c, label %loop, label %out

out:
  ret void
}
