; What a poll hardly ever does stands outside the loop: nothing in the loop jumps over it.
; RUN: opt={1,2,3} poll=flag:poll_flag:collect gc_registers={0,32}
; META: -force-loop-cold-block=true
; ASM @add_up: ret
; THEN: smd.poll.slow
; SAME-AS: ir
; RESULT: 10 = 55
; RUN: opt=0 poll=flag:poll_flag:collect
; RUN: opt=2 poll={page:poll_page,call:collect}
; RUN: opt=2 poll=flag:poll_flag:collect safepoints=none
; META-NOT: force-loop-cold-block
@poll_flag = global i8 1
declare ptr addrspace(1) @allocate(i64, i64)
define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %at = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 0, ptr addrspace(1) %at
  %sum = call i64 @add_up(ptr addrspace(1) %o, i64 %n)
  ret i64 %sum
}
define internal i64 @add_up(ptr addrspace(1) %o, i64 %n) noinline gc "statepoint-example" {
entry:
  br label %turn
turn:
  %i = phi i64 [ %n, %entry ], [ %less, %turn ]
  %at = getelementptr i8, ptr addrspace(1) %o, i64 8
  %sum = load volatile i64, ptr addrspace(1) %at
  %more = add i64 %sum, %i
  store volatile i64 %more, ptr addrspace(1) %at
  %less = add i64 %i, -1
  %is_over = icmp eq i64 %less, 0
  br i1 %is_over, label %out, label %turn
out:
  %total = load i64, ptr addrspace(1) %at
  ret i64 %total
}
