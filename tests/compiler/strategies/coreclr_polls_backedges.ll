; Coreclr polls backedges.
; RUN:
; SAFEPOINTS reason=backedge-poll: 1
; SAFEPOINTS: 1
; RUN: safepoints=entry
; SAFEPOINTS reason=entry-poll: 1
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f(ptr %p) gc "coreclr" {
entry:
  br label %loop
loop:
  %v = load volatile i8, ptr %p
  %c = icmp eq i8 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
