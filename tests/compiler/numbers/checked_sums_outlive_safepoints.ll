; A fixnum that checked arithmetic gives is a number wherever it becomes a reference, and may be kept as an integer: the
; optimiser takes it out of a loop.
;--- a loop
; RUN: opt={0,1,2,3,s} safepoints=none
; WARNING-NOT:
declare void @g(ptr addrspace(1))
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)

define i64 @loop(i64 %a, i64 %b) gc "statepoint-example" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %more, %sum ]
  %r = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  %overflows = extractvalue { i64, i1 } %r, 1
  br i1 %overflows, label %out, label %sum

sum:
  %s = extractvalue { i64, i1 } %r, 0
  %fixnum = inttoptr i64 %s to ptr addrspace(1)
  call void @g(ptr addrspace(1) %fixnum)
  %more = add i64 %i, 1
  %again = icmp ult i64 %more, 3
  br i1 %again, label %loop, label %out

out:
  ret i64 0
}

;--- a sum that is not checked may be an address
; RUN: opt={0,2} safepoints=none
; STATUS: safepoint_violation
; ERROR: is kept across the call of g
declare void @g(ptr addrspace(1))

define void @kept(ptr %p) gc "statepoint-example" {
  %a = load i64, ptr %p
  %s = add i64 %a, 8
  call void @g(ptr addrspace(1) null)
  %o = inttoptr i64 %s to ptr addrspace(1)
  call void @g(ptr addrspace(1) %o)
  ret void
}
