; Where LLVM has left a backedge without a poll, the remarks say why.
; RUN: opt=1
; REMARKS=1: no backedge poll in loop 'counted': its turns can be counted in 32 bits
; REMARKS=1: no backedge poll in loop 'calls': every turn makes a call
; REMARKS=2: no backedge poll
; RUN: opt=1 split_backedges=true
; RUN: opt=1 safepoints=backedge,return
; REMARKS=2: no backedge poll
; RUN: opt=1 counted_loop_bits=4
; REMARKS=1: no backedge poll
; RUN: opt=1 all_backedges=true
; REMARKS-NOT: no backedge poll
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define void @f(ptr %p) gc "statepoint-example" {
entry:
  br label %counted
counted:
  %i = phi i32 [ 0, %entry ], [ %j, %counted ]
  store volatile i32 %i, ptr %p
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 100
  br i1 %c, label %counted, label %calls
calls:
  call void @g()
  %v = load volatile i8, ptr %p
  %d = icmp eq i8 %v, 0
  br i1 %d, label %calls, label %spin
spin:
  %w = load volatile i8, ptr %p
  %e = icmp eq i8 %w, 0
  br i1 %e, label %spin, label %done
done:
  ret void
}
