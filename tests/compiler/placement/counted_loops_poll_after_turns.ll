; A loop whose turns can be counted polls after so many of them; one of fewer does not poll.
;--- %q = getelementptr i64, ptr %p, i64 %i
; RUN: safepoints=backedge poll=call:stop opt={1,2,3} counted_loop_turns=64
; REMARKS: counted loop(s) poll after 64 turns
; REMARKS: no backedge poll in
; REMARKS-NOT: every turn makes a call
; WARNING-NOT: counted_loop_turns
; RUN: safepoints=backedge poll=call:stop opt=1 counted_loop_turns=64
; SAFEPOINTS reason=backedge-poll: 1
; IR: call i64 @llvm.umin.i64(i64
; THEN: i64 63)
; RUN: safepoints=backedge poll=call:stop opt=1 counted_loop_turns=64 all_backedges=true
; WARNING=1: 'counted_loop_turns' has no effect: all_backedges polls each
; REMARKS-NOT: poll after 64 turns
; RUN: safepoints=backedge poll=call:stop opt=1 counted_loop_turns=65 counted_loop_bits=6
; WARNING=1: 'counted_loop_turns' has no effect: counted_loop_bits polls
; REMARKS-NOT: poll after 64 turns
; RUN: safepoints=entry poll=call:stop opt=1 counted_loop_turns=64
; WARNING=1: 'counted_loop_turns' has no effect
; RUN: safepoints=backedge poll=call:stop opt=1 counted_loop_turns=64 poll_interval=5
; REMARKS-NOT: poll after 64 turns
define void @f(ptr %p, i64 %m) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %q = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %q
  %w = xor i64 %v, 85
  store i64 %w, ptr %q
  %n = add nuw nsw i64 %i, 1
  %c = icmp ult i64 %n, %m
  br i1 %c, label %loop, label %done
done:
  ret void
}
;--- %c = icmp ult i32 %n, 5000
; RUN: safepoints=backedge poll=call:stop opt=1 counted_loop_turns={5000,5001,1000000000}
; SAFEPOINTS: 0
; RUN: safepoints=backedge poll=call:stop opt=1 counted_loop_turns={1,63,4000}
; SAFEPOINTS reason=backedge-poll: 1
; IR: call i32 @llvm.umin
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
;--- of two nested loops the inner one is
; RUN: safepoints=backedge poll=call:stop opt=1 counted_loop_turns=100
; REMARKS=1: 1 counted loop(s) poll after 100 turns
; IR=2: elementtype(void ()) @stop
define void @f(ptr %p, i32 %k, i32 %m) gc "statepoint-example" {
entry:
  br label %outer
outer:
  %o = phi i32 [ 0, %entry ], [ %o2, %next ]
  br label %loop
loop:
  %i = phi i32 [ 0, %outer ], [ %n, %loop ]
  store volatile i32 %i, ptr %p
  %n = add nuw nsw i32 %i, 1
  %c = icmp ne i32 %n, %m
  br i1 %c, label %loop, label %next
next:
  %o2 = add nuw nsw i32 %o, 1
  %d = icmp ne i32 %o2, %k
  br i1 %d, label %outer, label %done
done:
  ret void
}
;--- one with a call on each way round polls there
; RUN: safepoints=backedge poll=call:stop opt=1 counted_loop_turns=100
; REMARKS-NOT: poll after 100 turns
; SAFEPOINTS: 1
; SAFEPOINTS callee=g: 1
declare void @g()
define void @f(i32 %m) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  call void @g()
  %n = add nuw nsw i32 %i, 1
  %c = icmp ne i32 %n, %m
  br i1 %c, label %loop, label %done
done:
  ret void
}
