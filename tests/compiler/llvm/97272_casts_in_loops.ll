; The address of an object is taken anew in each turn of a loop. LLVM takes it once, before the loop, and keeps it while the
; object moves; smd takes it where it is used.
; RUN: opt={0,1,2,3} poll=call:collect safepoints=none
; RESULT: 5 = 210
; RESULT: --leave-out 0 5 != 210
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define i64 @read(ptr addrspace(1) %object, i64 %n) noinline gc "statepoint-example" {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %sum = phi i64 [ 0, %entry ], [ %more, %turn ]
  %address = ptrtoint ptr addrspace(1) %object to i64
  %raw = inttoptr i64 %address to ptr
  %v = load volatile i64, ptr %raw
  call void @collect()
  %more = add i64 %sum, %v
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %turn, label %done
done:
  ret i64 %more
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %object = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 42, ptr addrspace(1) %object
  %r = call i64 @read(ptr addrspace(1) %object, i64 %n)
  ret i64 %r
}
