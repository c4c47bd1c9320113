; random: target=aarch64-unknown-linux-gnu opt=3 poll=call:collect safepoints=none
; different: the moving collector gave another result
; The same object twice: its two addresses are asked for at one time, and the optimiser took one of them out of the loop.

declare ptr addrspace(1) @allocate(i64, i64)

declare void @collect()

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %holder = call ptr addrspace(1) @allocate(i64 16, i64 1)
  %object = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store ptr addrspace(1) %object, ptr addrspace(1) %holder
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %same = load ptr addrspace(1), ptr addrspace(1) %holder
  %a = ptrtoint ptr addrspace(1) %object to i64
  %b = ptrtoint ptr addrspace(1) %same to i64
  %distance = sub i64 %a, %b
  %region = xor i64 %a, %b
  %higher = lshr i64 %region, 16
  %both = or i64 %distance, %higher
  %step = add i64 %both, 1
  %more = add i64 %sum, %step
  call void @collect()
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, 4
  br i1 %again, label %loop, label %done

done:
  ret i64 %sum
}
