; Iterations are counted.
;--- %i = phi i32 [ 0, %entry ], [ %n, %loop ]
; RUN: poll_interval=5 opt={0,1,2,3}
; SAFEPOINTS reason=backedge-poll: 1
; SAFEPOINTS reason=return-poll: 1
; REMARKS=1: 1 loop(s) count their iterations: a poll after 5
; REMARKS-NOT: no backedge poll
; RUN: poll_interval=5 safepoints=return opt={0,1,2,3}
; SAFEPOINTS reason=backedge-poll: 0
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
  %c = icmp ult i32 %n, 8
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- %i = phi i64 [ 0, %entry ], [ %n, %loop ]
; RUN: poll_interval=5 opt={0,1,2,3}
; SAFEPOINTS reason=backedge-poll: 1
; IR-NOT: no-builtin
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f(ptr %p, i64 %m) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %q = getelementptr i64, ptr %p, i64 %i
  store i64 0, ptr %q
  %n = add nuw nsw i64 %i, 1
  %c = icmp ult i64 %n, %m
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- define void @f(ptr %p) "smd-poll-interval"="0"  gc
; RUN: poll_interval=4
; SAFEPOINTS: 1
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f(ptr %p) "smd-poll-interval"="0"  gc "statepoint-example" {
  ret void
}
;--- smd-poll-interval
; RUN:
; STATUS: invalid_option
; ERROR: smd-poll-interval
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f() "smd-poll-interval"="-1"  gc "statepoint-example" {
  ret void
}
