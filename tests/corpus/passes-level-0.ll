; What is done at level 0 as well: calls that have to be inlined, calls that instrument functions, and on AArch64 the form of loops.
declare void @collect()

define internal i64 @always(i64 %x) alwaysinline {
  %y = mul i64 %x, 7
  ret i64 %y
}

define i64 @inlines(ptr addrspace(1) %p, i64 %n) gc "statepoint-example" {
  call void @collect()
  %a = call i64 @always(i64 %n)
  ret i64 %a
}

define i64 @is_instrumented(i64 %n) #0 {
  %m = add i64 %n, 1
  ret i64 %m
}

define i64 @loops(i64 %n) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %one ], [ %next, %two ]
  call void @collect()
  %next = add i64 %i, 1
  %odd = trunc i64 %i to i1
  br i1 %odd, label %one, label %two
one:
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
two:
  br label %loop
end:
  ret i64 %next
}

declare void @arrive()
define void @gc.safepoint_poll() {
  call void @arrive()
  ret void
}

attributes #0 = { "instrument-function-entry"="__cyg_profile_func_enter" "instrument-function-exit"="__cyg_profile_func_exit" }
