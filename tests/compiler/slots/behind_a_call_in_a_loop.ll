; A slot behind a call in the first block of its function: what is inlined there ends the block, and the function is
; inlined in a loop. The slot is one in the frame all the same.
; RUN: opt={0,1,2,3} poll=call:collect
; RESULT: 5 = 26
; RESULT: --leave-out 0 5 != 26
; SAME-AS: ir
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @collect_behind(ptr %slot) noinline gc "statepoint-example" {
  call void @collect()
  ret void
}

define internal void @inlined(i64 %n) alwaysinline gc "statepoint-example" {
  %c = icmp sgt i64 %n, 2
  br i1 %c, label %x, label %y
x:
  call void @collect()
  br label %y
y:
  ret void
}

define internal i64 @keep(i64 %n) alwaysinline gc "statepoint-example" {
  call void @inlined(i64 %n)
  %slot = alloca { i64, ptr addrspace(1) }
  %field = getelementptr { i64, ptr addrspace(1) }, ptr %slot, i32 0, i32 1
  %new = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %new
  store ptr addrspace(1) %new, ptr %field
  call void @collect_behind(ptr %slot)
  %moved = load ptr addrspace(1), ptr %field
  %v = load i64, ptr addrspace(1) %moved
  ret i64 %v
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %m = add i64 %n, %i
  %v = call i64 @keep(i64 %m)
  %more = add i64 %sum, %v
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 4
  br i1 %again, label %loop, label %out
out:
  ret i64 %more
}
