; A loop that runs once or twice is dissolved from opt=1 on, and its iterations count.
; RUN: poll_interval=1 safepoints=backedge opt={0,2} target=x86_64-linux-gnu
; RUN: poll_interval=1 safepoints=backedge opt={1,3} target=aarch64-linux-gnu
; STACKMAP: "backedge-poll"
; IR-NOT: @smd.poll
;--- %c = icmp ult i32 %n, 1
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
  %c = icmp ult i32 %n, 1
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- %c = icmp ult i32 %n, 2
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
;--- %c = icmp ult i32 %n, 3
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
  %c = icmp ult i32 %n, 3
  br i1 %c, label %loop, label %done
done:
  ret void
}
