; What code generation does to loops and to nothing else: strength reduction, invariants hoisted on both sides of register allocation, prefetches.
declare i64 @step(i64)

define i64 @sum(ptr addrspace(1) %p, i64 %n, i64 %stride) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %at = mul i64 %i, %stride
  %place = getelementptr i64, ptr addrspace(1) %p, i64 %at
  %v = load i64, ptr addrspace(1) %place
  %invariant = mul i64 %stride, 81985529216486895
  %w = call i64 @step(i64 %v)
  %x = xor i64 %w, %invariant
  %more = add i64 %sum, %x
  %next = add i64 %i, 3
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret i64 %more
}

declare void @arrive()
define void @gc.safepoint_poll() {
  call void @arrive()
  ret void
}
