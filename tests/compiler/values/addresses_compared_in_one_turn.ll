; Two addresses are compared where both are of one turn of a loop. The optimiser turns the loop, so that the casts come
; before a poll and the comparison behind it: there both are cast again.
;--- compiled
; RUN: opt={0,1,2,3} safepoints=backedge poll=flag:flag:slow
; WARNING-NOT:
define ptr addrspace(1) @"f2#2.0"(ptr addrspace(1) %t80.pre, i1 %t89) gc "statepoint-example" personality ptr null {
entry:
  br label %L62

L62:                                              ; preds = %B83, %entry
  %s4.0 = phi ptr addrspace(1) [ null, %entry ], [ %t90, %B83 ]
  %t84 = ptrtoint ptr addrspace(1) %s4.0 to i64
  %t852 = ptrtoint ptr addrspace(1) %t80.pre to i64
  br i1 %t89, label %B83, label %B82

B83:                                              ; preds = %L62
  %t86 = icmp slt i64 %t84, %t852
  %t90 = select i1 %t86, ptr addrspace(1) %t80.pre, ptr addrspace(1) null
  br label %L62

B82:                                              ; preds = %L62
  ret ptr addrspace(1) null
}
;--- runs
; RUN: opt={0,1,2,3} safepoints=backedge poll=call:collect
; RESULT: 10 = 45
declare ptr addrspace(1) @allocate(i64, i64)
define internal i64 @f(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) noinline gc "statepoint-example" {
e:
  br label %l
l:
  %p = phi ptr addrspace(1) [ null, %e ], [ %q, %m ]
  %i = phi i64 [ 0, %e ], [ %j, %m ]
  %s = phi i64 [ 0, %e ], [ %t, %m ]
  %x = ptrtoint ptr addrspace(1) %p to i64
  %y = ptrtoint ptr addrspace(1) %a to i64
  %c = icmp slt i64 %i, %n
  br i1 %c, label %m, label %d
m:
  %same = icmp eq i64 %x, %y
  %k = select i1 %same, i64 %i, i64 0
  %t = add i64 %s, %k
  %q = select i1 %c, ptr addrspace(1) %a, ptr addrspace(1) %b
  %j = add i64 %i, 1
  br label %l
d:
  ret i64 %s
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %b = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %r = call i64 @f(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n)
  ret i64 %r
}
;--- across a call
; RUN: opt={0,2} safepoints=none
; STATUS: safepoint_violation
; ERROR=1 @f: after the call of work
declare void @work()
define i1 @f(ptr addrspace(1) %a, ptr addrspace(1) %b) gc "statepoint-example" {
  %x = ptrtoint ptr addrspace(1) %a to i64
  call void @work()
  %y = ptrtoint ptr addrspace(1) %b to i64
  %c = icmp slt i64 %x, %y
  ret i1 %c
}
