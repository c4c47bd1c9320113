; watermark.ll - functions that call one another, as the runtime says, and look after each call whether their values are what they
; were: for watermark_check.c.
declare ptr @decide(i64)
declare ptr addrspace(1) @fresh(i64, i64)
declare void @wrong(i64)
declare void @touch(ptr)
declare i32 @handle_all(...)

define void @plain(i64 %depth, i64 %key) gc "statepoint-example" {
entry:
  %deeper = add i64 %depth, 1
  %other = mul i64 %key, 7
  %p0 = call ptr addrspace(1) @fresh(i64 %depth, i64 %key)
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %p0, %entry ], [ %p2, %good ]
  %f = call ptr @decide(i64 %depth)
  %stop = icmp eq ptr %f, null
  br i1 %stop, label %leave, label %go
go:
  %next = add i64 %other, %depth
  call void %f(i64 %deeper, i64 %next)
  br label %back
back:
  %v = load i64, ptr addrspace(1) %p
  %same = icmp eq i64 %v, %key
  br i1 %same, label %good, label %bad
bad:
  call void @wrong(i64 %depth)
  br label %good
good:
  %p2 = call ptr addrspace(1) @fresh(i64 %depth, i64 %key)
  br label %loop
leave:
  ret void
}

define void @saving(i64 %depth, i64 %key) gc "statepoint-example" {
entry:
  %deeper = add i64 %depth, 1
  %other = mul i64 %key, 7
  %p0 = call ptr addrspace(1) @fresh(i64 %depth, i64 %key)
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %p0, %entry ], [ %p2, %good ]
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  %k1 = xor i64 %key, 12345
  %q = call ptr addrspace(1) @fresh(i64 %depth, i64 %other)
  %e = getelementptr i8, ptr addrspace(1) %q, i64 8
  %f = call ptr @decide(i64 %depth)
  %stop = icmp eq ptr %f, null
  br i1 %stop, label %leave, label %go
go:
  %next = add i64 %other, %depth
  call void %f(i64 %deeper, i64 %next)
  br label %back
back:
  %v = load i64, ptr addrspace(1) %p
  %same = icmp eq i64 %v, %key
  %w = load i64, ptr addrspace(1) %d
  %w1 = xor i64 %w, 12345
  %s1 = icmp eq i64 %w1, %k1
  %x = load i64, ptr addrspace(1) %e
  %s2 = icmp eq i64 %x, %other
  %y = load i64, ptr addrspace(1) %q
  %s3 = icmp eq i64 %y, %other
  %a1 = and i1 %same, %s1
  %a2 = and i1 %a1, %s2
  %a3 = and i1 %a2, %s3
  br i1 %a3, label %good, label %bad
bad:
  call void @wrong(i64 %depth)
  br label %good
good:
  %p2 = call ptr addrspace(1) @fresh(i64 %depth, i64 %key)
  br label %loop
leave:
  ret void
}

define void @dynamic(i64 %depth, i64 %key) gc "statepoint-example" {
entry:
  %deeper = add i64 %depth, 1
  %other = mul i64 %key, 7
  %few = and i64 %key, 31
  %room = alloca i64, i64 %few, align 64
  call void @touch(ptr %room)
  %p0 = call ptr addrspace(1) @fresh(i64 %depth, i64 %key)
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %p0, %entry ], [ %p2, %good ]
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  %k1 = xor i64 %key, 12345
  %q = call ptr addrspace(1) @fresh(i64 %depth, i64 %other)
  %e = getelementptr i8, ptr addrspace(1) %q, i64 8
  %f = call ptr @decide(i64 %depth)
  %stop = icmp eq ptr %f, null
  br i1 %stop, label %leave, label %go
go:
  %next = add i64 %other, %depth
  call void %f(i64 %deeper, i64 %next)
  br label %back
back:
  %v = load i64, ptr addrspace(1) %p
  %same = icmp eq i64 %v, %key
  %w = load i64, ptr addrspace(1) %d
  %w1 = xor i64 %w, 12345
  %s1 = icmp eq i64 %w1, %k1
  %x = load i64, ptr addrspace(1) %e
  %s2 = icmp eq i64 %x, %other
  %y = load i64, ptr addrspace(1) %q
  %s3 = icmp eq i64 %y, %other
  %a1 = and i1 %same, %s1
  %a2 = and i1 %a1, %s2
  %a3 = and i1 %a2, %s3
  call void @touch(ptr %room)
  br i1 %a3, label %good, label %bad
bad:
  call void @wrong(i64 %depth)
  br label %good
good:
  %p2 = call ptr addrspace(1) @fresh(i64 %depth, i64 %key)
  br label %loop
leave:
  ret void
}

define void @catching(i64 %depth, i64 %key) gc "statepoint-example" personality ptr @handle_all {
entry:
  %deeper = add i64 %depth, 1
  %other = mul i64 %key, 7
  %p0 = call ptr addrspace(1) @fresh(i64 %depth, i64 %key)
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %p0, %entry ], [ %p2, %good ]
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  %k1 = xor i64 %key, 12345
  %q = call ptr addrspace(1) @fresh(i64 %depth, i64 %other)
  %e = getelementptr i8, ptr addrspace(1) %q, i64 8
  %f = call ptr @decide(i64 %depth)
  %stop = icmp eq ptr %f, null
  br i1 %stop, label %leave, label %go
go:
  %next = add i64 %other, %depth
  invoke void %f(i64 %deeper, i64 %next) to label %back unwind label %caught
caught:
  %pad = landingpad { ptr, i32 } catch ptr null
  br label %back
back:
  %v = load i64, ptr addrspace(1) %p
  %same = icmp eq i64 %v, %key
  %w = load i64, ptr addrspace(1) %d
  %w1 = xor i64 %w, 12345
  %s1 = icmp eq i64 %w1, %k1
  %x = load i64, ptr addrspace(1) %e
  %s2 = icmp eq i64 %x, %other
  %y = load i64, ptr addrspace(1) %q
  %s3 = icmp eq i64 %y, %other
  %a1 = and i1 %same, %s1
  %a2 = and i1 %a1, %s2
  %a3 = and i1 %a2, %s3
  br i1 %a3, label %good, label %bad
bad:
  call void @wrong(i64 %depth)
  br label %good
good:
  %p2 = call ptr addrspace(1) @fresh(i64 %depth, i64 %key)
  br label %loop
leave:
  ret void
}

; Calls the next one in its own place, where the target has room for that.
define void @tail(i64 %depth, i64 %key) gc "statepoint-example" {
  %again = add i64 %key, 1
  musttail call void @plain(i64 %depth, i64 %again)
  ret void
}
