; A caller of one whose loop is no loop any more has a record of the call: it polls there.
; RUN: poll_interval=1 safepoints=backedge
; SAFEPOINTS callee=f: 1
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define  void @f(ptr %p) noinline gc "statepoint-example" {
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
define ptr addrspace(1) @g(ptr %p, ptr addrspace(1) %o) gc "statepoint-example" {
  call void @f(ptr %p)
  ret ptr addrspace(1) %o
}
