; Eight methods in one another, the innermost of which gives up: what it returns, and what is left of the others if they
; were inlined (HOW is alwaysinline), the runtime makes of the frames in the state (deopt_check.c).
declare ptr addrspace(1) @allocate(i64)
declare i64 @llvm.experimental.deoptimize.i64(...)

define internal i64 @m0(i64 %n, ptr addrspace(1) %p) HOW "smd-deoptimize"="go_on" gc "statepoint-example" {
  %value = load i64, ptr addrspace(1) %p
  %rare = icmp sgt i64 %value, 0
  br i1 %rare, label %stop, label %on
on:
  ret i64 %n
stop:
  %result = call i64 (...) @llvm.experimental.deoptimize.i64() [ "deopt"(i64 6002528945793269762, i64 0, i64 5, i64 %n, ptr addrspace(1) %p) ]
  ret i64 %result
}

define internal i64 @m1(i64 %n, ptr addrspace(1) %p) HOW "smd-deoptimize"="go_on" gc "statepoint-example" {
  %more = add i64 %n, 1
  %r = call i64 @m0(i64 %more, ptr addrspace(1) %p) [ "deopt"(i64 6002528945793269762, i64 1, i64 10, i64 %n, ptr addrspace(1) %p) ]
  %three = mul i64 %r, 3
  %with = add i64 %three, %n
  %value = load i64, ptr addrspace(1) %p
  %sum = add i64 %with, %value
  ret i64 %sum
}

define internal i64 @m2(i64 %n, ptr addrspace(1) %p) HOW "smd-deoptimize"="go_on" gc "statepoint-example" {
  %more = add i64 %n, 1
  %r = call i64 @m1(i64 %more, ptr addrspace(1) %p) [ "deopt"(i64 6002528945793269762, i64 2, i64 20, i64 %n, ptr addrspace(1) %p) ]
  %three = mul i64 %r, 3
  %with = add i64 %three, %n
  %value = load i64, ptr addrspace(1) %p
  %sum = add i64 %with, %value
  ret i64 %sum
}

define internal i64 @m3(i64 %n, ptr addrspace(1) %p) HOW "smd-deoptimize"="go_on" gc "statepoint-example" {
  %more = add i64 %n, 1
  %r = call i64 @m2(i64 %more, ptr addrspace(1) %p) [ "deopt"(i64 6002528945793269767, i64 3, i64 30, i64 %n, ptr addrspace(1) %p, i64 6002528945793335298, i64 70, i64 %n, ptr addrspace(1) %p, i64 6002528945793400833) ]
  %three = mul i64 %r, 3
  %with = add i64 %three, %n
  %value = load i64, ptr addrspace(1) %p
  %sum = add i64 %with, %value
  %twice = mul i64 %value, 2
  %fields = add i64 %twice, %n
  %all = add i64 %sum, %fields
  ret i64 %all
}

define internal i64 @m4(i64 %n, ptr addrspace(1) %p) HOW "smd-deoptimize"="go_on" gc "statepoint-example" {
  %more = add i64 %n, 1
  %r = call i64 @m3(i64 %more, ptr addrspace(1) %p) [ "deopt"(i64 6002528945793269762, i64 4, i64 40, i64 %n, ptr addrspace(1) %p) ]
  %three = mul i64 %r, 3
  %with = add i64 %three, %n
  %value = load i64, ptr addrspace(1) %p
  %sum = add i64 %with, %value
  ret i64 %sum
}

define internal i64 @m5(i64 %n, ptr addrspace(1) %p) HOW "smd-deoptimize"="go_on" gc "statepoint-example" {
  %more = add i64 %n, 1
  %r = call i64 @m4(i64 %more, ptr addrspace(1) %p) [ "deopt"(i64 6002528945793269762, i64 5, i64 50, i64 %n, ptr addrspace(1) %p) ]
  %three = mul i64 %r, 3
  %with = add i64 %three, %n
  %value = load i64, ptr addrspace(1) %p
  %sum = add i64 %with, %value
  ret i64 %sum
}

define internal i64 @m6(i64 %n, ptr addrspace(1) %p) HOW "smd-deoptimize"="go_on" gc "statepoint-example" {
  %more = add i64 %n, 1
  %r = call i64 @m5(i64 %more, ptr addrspace(1) %p) [ "deopt"(i64 6002528945793269762, i64 6, i64 60, i64 %n, ptr addrspace(1) %p) ]
  %three = mul i64 %r, 3
  %with = add i64 %three, %n
  %value = load i64, ptr addrspace(1) %p
  %sum = add i64 %with, %value
  ret i64 %sum
}

define i64 @m7(i64 %n, ptr addrspace(1) %p) noinline "smd-deoptimize"="go_on" gc "statepoint-example" {
  %more = add i64 %n, 1
  %r = call i64 @m6(i64 %more, ptr addrspace(1) %p) [ "deopt"(i64 6002528945793269762, i64 7, i64 70, i64 %n, ptr addrspace(1) %p) ]
  %three = mul i64 %r, 3
  %with = add i64 %three, %n
  %value = load i64, ptr addrspace(1) %p
  %sum = add i64 %with, %value
  ret i64 %sum
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 41) [ "deopt"(i64 1) ]
  %r = call i64 @m7(i64 %n, ptr addrspace(1) %p) [ "deopt"(i64 2) ]
  %value = load i64, ptr addrspace(1) %p
  %sum = add i64 %r, %value
  ret i64 %sum
}
