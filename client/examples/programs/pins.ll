; Objects that are pinned while raw pointers lead into them, in loops and across exceptions, beside others that move.
; run: 10 = 385
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; A buffer that foreign code fills, through an address that it was given before collections.
define internal void @fill(ptr %buffer, i64 %n, ptr addrspace(1) %other) noinline gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i64, ptr %buffer, i64 %i
  call void @collect()
  %v = load i64, ptr addrspace(1) %other
  %w = mul i64 %i, %v
  store i64 %w, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define internal i64 @round(i64 %k) noinline gc "statepoint-example" {
entry:
  %object = call ptr addrspace(1) @allocate(i64 128, i64 0)
  %other = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %k, ptr addrspace(1) %other
  %raw = call ptr @smd.gc.pin(ptr addrspace(1) %object)
  %second = call ptr @smd.gc.pin(ptr addrspace(1) %other)
  call void @fill(ptr %raw, i64 11, ptr addrspace(1) %other)
  %last = getelementptr i64, ptr %raw, i64 10
  call void @collect()
  %seen = load i64, ptr %last
  %k2 = load i64, ptr %second
  call void @smd.gc.unpin(ptr %second)
  call void @smd.gc.unpin(ptr %raw)
  call void @collect()
  %at = getelementptr i64, ptr addrspace(1) %object, i64 10
  %moved = load i64, ptr addrspace(1) %at
  %same = icmp eq i64 %moved, %seen
  %good = select i1 %same, i64 %seen, i64 -1
  %tenth = udiv i64 %good, 10
  %square = mul i64 %tenth, %k2
  ret i64 %square
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %k = phi i64 [ 1, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %square = call i64 @round(i64 %k)
  %more = add i64 %sum, %square
  %next = add i64 %k, 1
  %again = icmp ule i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret i64 %more
}
