; Of functions without an interval that are inlined as well; where none has one, nothing is counted,
; and nothing left.
;--- call void @f(ptr %p)
; RUN: poll_interval=4 safepoints=backedge
; IR-NOT: @smd.poll
; STACKMAP=2: "backedge-poll"
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define internal void @f(ptr %p)  gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  store volatile i32 %i, ptr %p
  %n = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %n, 2
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @g(ptr %p) gc "statepoint-example" {
  call void @f(ptr %p)
  ret void
}
;--- call void @h(ptr %p)
; RUN: safepoints=backedge
; IR-NOT: @smd.poll
; STACKMAP-NOT: "backedge-poll"
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
  %c = icmp ult i32 %n, 2
  br i1 %c, label %loop, label %done
done:
  ret void
}
define internal void @h(ptr %p) "smd-poll-interval"="5" gc "statepoint-example" {
  ret void
}
define void @k(ptr %p) gc "statepoint-example" {
  call void @h(ptr %p)
  ret void
}
