; What need not be done before a backedge's poll is done after it, so that it is one piece with the branch.
; RUN: opt={1,2,3} poll=flag:poll_flag:collect gc_registers=32 target=x86_64-linux-gnu
; ASM @count: /cmpb.+34, .*[(]%/
; RUN: opt={0,1,2,3} poll={flag:poll_flag:collect,call:collect}
; SAME-AS: ir
; RESULT: 10 = 26
; RUN: opt={1,2,3} poll=page:poll_page
; IR @count: store i64 %next
; THEN: statepoint
; THEN: load i8, ptr addrspace(1)
; IR @address: store volatile
; THEN: load i8, ptr addrspace(1)
; THEN: statepoint
; THEN: icmp eq
@poll_flag = global i8 1
declare ptr addrspace(1) @allocate(i64, i64)
define i64 @program(i64 %n) gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 40, i64 0)
  %at = getelementptr i8, ptr addrspace(1) %o, i64 24
  store i64 34, ptr addrspace(1) %at
  %counted = call i64 @count(ptr addrspace(1) %o)
  %asked = call i64 @address(ptr addrspace(1) %o)
  %sum = add i64 %counted, %asked
  %total = add i64 %sum, %n
  ret i64 %total
}
; Its end is at 24. The object knows at any time how far it is: what is stored before the poll is stored before it.
define internal i64 @count(ptr addrspace(1) %o) noinline gc "statepoint-example" {
entry:
  br label %turn
turn:
  %i = phi i64 [ 16, %entry ], [ %next, %turn ]
  %next = add i64 %i, 1
  %end = getelementptr i8, ptr addrspace(1) %o, i64 8
  store i64 %next, ptr addrspace(1) %end
  %at = getelementptr i8, ptr addrspace(1) %o, i64 %next
  %byte = load i8, ptr addrspace(1) %at
  %is_end = icmp eq i8 %byte, 34
  br i1 %is_end, label %out, label %turn
out:
  %n = sub i64 %next, 16
  ret i64 %n
}
; The function asks where the object is: all stays.
define internal i64 @address(ptr addrspace(1) %o) noinline gc "statepoint-example" {
entry:
  %a = ptrtoint ptr addrspace(1) %o to i64
  %hash = mul i64 %a, 0
  br label %turn
turn:
  %i = phi i64 [ 16, %entry ], [ %next, %turn ]
  %next = add i64 %i, 1
  %end = getelementptr i8, ptr addrspace(1) %o, i64 8
  store volatile i64 %next, ptr addrspace(1) %end
  %at = getelementptr i8, ptr addrspace(1) %o, i64 %next
  %byte = load i8, ptr addrspace(1) %at
  %is_end = icmp eq i8 %byte, 34
  br i1 %is_end, label %out, label %turn
out:
  %n = sub i64 %next, 16
  %sum = add i64 %n, %hash
  ret i64 %sum
}
