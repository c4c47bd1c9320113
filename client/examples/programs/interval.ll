; What a poll costs a loop, and what none costs the collector: every iteration is counted, and each poll notes how many there
; were since the one before. With poll_interval=N no poll notes more than N; the program gives the most (run: it checks with
; any option that its objects are right, with poll_interval=20 that the most is at most its argument).
; run: 1000000 = 21816
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

@since = internal global i64 0
@most = internal global i64 0

define void @gc.safepoint_poll() {
  %n = load volatile i64, ptr @since
  store volatile i64 0, ptr @since
  %m = load volatile i64, ptr @most
  %more = icmp ugt i64 %n, %m
  %k = select i1 %more, i64 %n, i64 %m
  store volatile i64 %k, ptr @most
  call void @collect()
  ret void
}

define internal void @iteration() alwaysinline {
  %n = load volatile i64, ptr @since
  %m = add i64 %n, 1
  store volatile i64 %m, ptr @since
  ret void
}

; Three iterations, often called: shorter than any interval.
define internal i64 @short(ptr addrspace(1) %o) noinline gc "statepoint-example" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  call void @iteration()
  %v = load i64, ptr addrspace(1) %o
  %t = add i64 %s, %v
  %j = add nuw nsw i64 %i, 1
  %c = icmp ult i64 %j, 3
  br i1 %c, label %loop, label %done

done:
  ret i64 %t
}

; Loops of four iterations in one of fifty, one behind the other; an array of words is summed, which LLVM would unroll.
define internal i64 @nest(ptr addrspace(1) %o, i64 %n) noinline gc "statepoint-example" {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i2, %next ]
  %s = phi i64 [ 0, %entry ], [ %s3, %next ]
  call void @iteration()
  br label %first

first:
  %a = phi i64 [ 0, %outer ], [ %a2, %first ]
  %s1 = phi i64 [ %s, %outer ], [ %t1, %first ]
  call void @iteration()
  %p = getelementptr i64, ptr addrspace(1) %o, i64 %a
  %v = load i64, ptr addrspace(1) %p
  %t1 = add i64 %s1, %v
  %a2 = add nuw nsw i64 %a, 1
  %c1 = icmp ult i64 %a2, 4
  br i1 %c1, label %first, label %middle

middle:
  br label %second

second:
  %b = phi i64 [ 3, %middle ], [ %b2, %second ]
  %s2 = phi i64 [ %t1, %middle ], [ %t2, %second ]
  call void @iteration()
  %q = getelementptr i64, ptr addrspace(1) %o, i64 %b
  %w = load i64, ptr addrspace(1) %q
  %t2 = add i64 %s2, %w
  %b2 = sub nuw nsw i64 %b, 1
  %c2 = icmp ne i64 %b, 0
  br i1 %c2, label %second, label %next

next:
  %u = call i64 @short(ptr addrspace(1) %o)
  %s3 = add i64 %t2, %u
  %i2 = add nuw nsw i64 %i, 1
  %c3 = icmp ult i64 %i2, %n
  br i1 %c3, label %outer, label %done

done:
  ret i64 %s3
}

; Two ways into one loop, whose iterations are its rounds.
define internal i64 @crossed(ptr addrspace(1) %o, i64 %n) noinline gc "statepoint-example" {
entry:
  %odd = and i64 %n, 1
  %c = icmp eq i64 %odd, 0
  br i1 %c, label %left, label %right

left:
  %l = phi i64 [ %n, %entry ], [ %r2, %right ]
  call void @iteration()
  %l2 = sub i64 %l, 1
  %x = load i64, ptr addrspace(1) %o
  %cl = icmp sgt i64 %l2, %x
  br i1 %cl, label %right, label %done

right:
  %r = phi i64 [ %n, %entry ], [ %l2, %left ]
  %r2 = sub i64 %r, 1
  %cr = icmp sgt i64 %r2, 0
  br i1 %cr, label %left, label %done

done:
  %e = load i64, ptr addrspace(1) %o
  ret i64 %e
}

; Two iterations by constants, and one: loops that the optimiser makes straight code of. What they count stays counted.
define internal i64 @twice(ptr addrspace(1) %o) noinline gc "statepoint-example" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  call void @iteration()
  %v = load i64, ptr addrspace(1) %o
  %t = add i64 %s, %v
  %j = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %i, 0
  br i1 %c, label %loop, label %once

once:
  %k = phi i64 [ 0, %loop ], [ %k2, %once ]
  call void @iteration()
  %k2 = add nuw nsw i64 %k, 1
  %c1 = icmp ult i64 %k2, 1
  br i1 %c1, label %once, label %done

done:
  ret i64 %t
}

define i64 @program(i64 %limit) gc "statepoint-example" {
entry:
  %o = call ptr addrspace(1) @allocate(i64 32, i64 0)
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %i2, %fill ]
  call void @iteration()
  %p = getelementptr i64, ptr addrspace(1) %o, i64 %i
  store i64 %i, ptr addrspace(1) %p
  %i2 = add nuw nsw i64 %i, 1
  %c = icmp ult i64 %i2, 4
  br i1 %c, label %fill, label %filled

filled:
  br label %many.calls

many.calls:
  %x = phi i64 [ 0, %filled ], [ %x2, %many.calls ]
  call void @iteration()
  %w = call i64 @twice(ptr addrspace(1) %o)
  %x2 = add nuw nsw i64 %x, 1
  %cx = icmp ult i64 %x2, 40
  br i1 %cx, label %many.calls, label %called

called:
  %a = call i64 @nest(ptr addrspace(1) %o, i64 50)
  %b = call i64 @crossed(ptr addrspace(1) %o, i64 101)
  %s = add i64 %a, %b
  %n = load volatile i64, ptr @since
  %m = load volatile i64, ptr @most
  %late = icmp ugt i64 %n, %limit
  %many = icmp ugt i64 %m, %limit
  %wrong = or i1 %late, %many
  %r = select i1 %wrong, i64 %m, i64 %s
  %rest = mul i64 %r, 36
  %plus = add i64 %rest, 216
  ret i64 %plus
}
