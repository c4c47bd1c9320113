; Stages.
; RUN: opt=1
; STAGES=4: "stage":
; STAGES-NOT: smd-reason
; RUN: opt=1 emit=obj
; STAGES-NOT: "stage":
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
