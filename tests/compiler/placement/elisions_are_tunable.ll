; Elisions are tunable.
;--- counted
; RUN: safepoints=backedge opt=1
; SAFEPOINTS: 0
; RUN: safepoints=backedge opt=1 counted_loop_bits=8
; RUN: safepoints=backedge opt=1 all_backedges=true
; SAFEPOINTS reason=backedge-poll: 1
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  store volatile i32 %i, ptr %p
  %n = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %n, 5000
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- %v = load volatile i8, ptr %p
; RUN: safepoints=backedge split_backedges=true
; SAFEPOINTS reason=backedge-poll: 1
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
