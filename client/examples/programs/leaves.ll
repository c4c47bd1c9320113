; Calls that cannot collect are no safepoints, and calls beside them that look alike are: recursion that ends in a
; collection, helpers without a GC strategy, a callee that is polled.
; run: 40 = 2040
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define void @gc.safepoint_poll() {
  call void @collect()
  ret void
}

; A leaf: there is nothing in it.
define internal i64 @value(ptr addrspace(1) %o) noinline {
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
}

; A leaf, though it calls itself.
define internal i64 @down(i64 %n, ptr addrspace(1) %o) noinline "smd-safepoints"="none" gc "statepoint-example" {
entry:
  %v = call i64 @value(ptr addrspace(1) %o)
  %end = icmp eq i64 %n, 0
  br i1 %end, label %bottom, label %on

bottom:
  ret i64 %v

on:
  %less = sub i64 %n, 1
  %rest = call i64 @down(i64 %less, ptr addrspace(1) %o)
  %again = call i64 @value(ptr addrspace(1) %o)
  %sum = add i64 %rest, %again
  ret i64 %sum
}

; None: at its bottom it collects, two calls away.
define internal i64 @shake(i64 %n, ptr addrspace(1) %o) noinline "smd-safepoints"="none" gc "statepoint-example" {
entry:
  %v = call i64 @value(ptr addrspace(1) %o)
  %end = icmp eq i64 %n, 0
  br i1 %end, label %bottom, label %on

bottom:
  call void @stir()
  %w = call i64 @value(ptr addrspace(1) %o)
  ret i64 %w

on:
  %less = sub i64 %n, 1
  %rest = call i64 @shake(i64 %less, ptr addrspace(1) %o)
  %again = call i64 @value(ptr addrspace(1) %o)
  %sum = add i64 %rest, %again
  ret i64 %sum
}

define internal void @stir() noinline "smd-safepoints"="none" gc "statepoint-example" {
  call void @collect()
  ret void
}

; None: it is polled at its entry, whatever it does.
define internal i64 @polled(ptr addrspace(1) %o) noinline "smd-safepoints"="entry" gc "statepoint-example" {
  %v = call i64 @value(ptr addrspace(1) %o)
  ret i64 %v
}

; None: others may put another one in its place.
define weak i64 @replaced(ptr addrspace(1) %o) noinline "smd-safepoints"="none" gc "statepoint-example" {
  %v = call i64 @value(ptr addrspace(1) %o)
  ret i64 %v
}

define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 5, ptr addrspace(1) %o
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %s5, %loop ]
  %a = call i64 @down(i64 3, ptr addrspace(1) %o)
  %b = call i64 @shake(i64 3, ptr addrspace(1) %o)
  %c = call i64 @polled(ptr addrspace(1) %o)
  %d = call i64 @replaced(ptr addrspace(1) %o)
  %s2 = add i64 %s, %a
  %s3 = add i64 %s2, %b
  %s4 = add i64 %s3, %c
  %e = load i64, ptr addrspace(1) %o
  %f = sub i64 %d, %e
  %g = add i64 %f, 1
  %s5 = add i64 %s4, %g
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %done

done:
  %last = load i64, ptr addrspace(1) %o
  %twice = mul i64 %last, 40
  %all = add i64 %s5, %twice
  ret i64 %all
}
