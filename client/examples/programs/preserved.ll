; preserved.ll - calls that preserve more registers than C's: roots wait in any of them, and who saved them tells where.
; run: 300 = 90600
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

define internal preserve_mostcc void @step(ptr %count) noinline gc "statepoint-example" {
  %unused = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %n = load i64, ptr %count
  %m = add i64 %n, 1
  store i64 %m, ptr %count
  ret void
}

; Touches hardly a register itself.
define internal preserve_mostcc void @twice(ptr %count) noinline gc "statepoint-example" {
  call preserve_mostcc void @step(ptr %count)
  call preserve_mostcc void @step(ptr %count)
  ret void
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %count = alloca i64
  store i64 0, ptr %count
  %a = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 1, ptr addrspace(1) %a
  %b = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 1, ptr addrspace(1) %b
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call preserve_mostcc void @twice(ptr %count)
  call preserve_mostcc void @step(ptr %count)
  %av = load i64, ptr addrspace(1) %a
  %bv = load i64, ptr addrspace(1) %b
  %as = add i64 %av, %bv
  store i64 %as, ptr addrspace(1) %a
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %total = load i64, ptr %count
  %x = load i64, ptr addrspace(1) %a
  %y = mul i64 %x, %n
  %z = add i64 %y, 300
  %w = sub i64 %z, %total
  %v = add i64 %w, %total
  ret i64 %v
}
