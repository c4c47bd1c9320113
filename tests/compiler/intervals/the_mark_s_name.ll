; The mark's name.
; RUN: poll_interval=3
; STATUS: safepoint_poll_conflict
; ERROR: smd.poll.mark
@smd.poll.mark = global i8 0
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define  void @f(ptr %p)  gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  store volatile i32 %i, ptr %p
  %n = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %n, 9
  br i1 %c, label %loop, label %done
done:
  ret void
}
