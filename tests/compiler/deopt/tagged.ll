; A tagged reference in the state of a safepoint: its place is the slot, which the collector keeps up to date.
; observe() collects, and gives the sum of its state's values, as the collector's visitor sees them.
; RUN: opt={0,1,2,3} safepoints=none stackmap_format=compact
; RESULT: 7 = 1
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 7 = 1
; READOBJ: agrees
; SAME-AS: ir
;--- by tags of its own
; REGIONS @f callee=observe: 1
; SAFEPOINT @f callee=observe: "deopt":[{"kind":"indirect",
declare ptr addrspace(1) @allocate(i64, i64)
declare i64 @observe()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(i64 %w) noinline gc "statepoint-example" {
  %seen = call i64 @observe() [ "deopt"(i64 %w) ]
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %v = load i64, ptr addrspace(1) %p
  %same = icmp eq i64 %seen, %w
  %right = icmp eq i64 %v, 7
  %both = and i1 %same, %right
  %r = zext i1 %both to i64
  ret i64 %r
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %p
  %a = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %w = or i64 %a, 1
  %r = call i64 @f(i64 %w)
  ret i64 %r
}
;--- chosen by a phi and a select, changed after, given to the call as well
; SAFEPOINT @f callee=observe: "deopt":[{"kind":"indirect",
declare ptr addrspace(1) @allocate(i64, i64)
declare i64 @observe(i64)
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(i64 %a, i64 %b, i1 %c, i1 %d) noinline gc "statepoint-example" {
  br i1 %c, label %l, label %m
l:
  %x = or i64 %a, 2
  br label %m
m:
  %p = phi i64 [ %b, %0 ], [ %x, %l ]
  %s = select i1 %d, i64 %p, i64 %b
  %seen = call i64 @observe(i64 %s) [ "deopt"(i64 %s, i32 4, i64 %p) ]
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %s)
  %v = load i64, ptr addrspace(1) %o
  %q = and i64 %p, -8
  %t = and i64 %s, -8
  %apart = icmp eq i64 %q, %t
  %right = icmp eq i64 %v, 7
  %sum = add i64 %s, %p
  %more = add i64 %sum, 4
  %same = icmp eq i64 %seen, %more
  %both = and i1 %same, %right
  %all = and i1 %both, %apart
  %r = zext i1 %all to i64
  ret i64 %r
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %p
  %w = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %r = call i64 @f(i64 %w, i64 %w, i1 true, i1 true)
  ret i64 %r
}
;--- in nothing but the state
; SAFEPOINT @f callee=observe: "deopt":[{"kind":"indirect",
declare ptr addrspace(1) @allocate(i64, i64)
declare i64 @observe()
declare i64 @smd.gc.to_int(ptr addrspace(1))
define i64 @f(ptr addrspace(1) %p) noinline gc "statepoint-example" {
  %a = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %w = or i64 %a, 1
  %seen = call i64 @observe() [ "deopt"(i64 %w) ]
  %now = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %off = sub i64 %seen, %now
  ret i64 %off
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 8, i64 0)
  %r = call i64 @f(ptr addrspace(1) %p)
  ret i64 %r
}
;--- of an invoke, beside other values, with an exception's edge that has it too
; SAFEPOINT @f callee=observe: "deopt":[{"kind":"constant","value":0,"size":8},{"kind":"indirect",
declare ptr addrspace(1) @allocate(i64, i64)
declare i64 @observe()
declare i32 @handle_all(...)
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(i64 %w) noinline gc "statepoint-example" personality ptr @handle_all {
  %seen = invoke i64 @observe() [ "deopt"(i64 0, i64 %w) ] to label %on unwind label %pad
on:
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %v = load i64, ptr addrspace(1) %p
  %same = icmp eq i64 %seen, %w
  %right = icmp eq i64 %v, 7
  %both = and i1 %same, %right
  %r = zext i1 %both to i64
  ret i64 %r
pad:
  %l = landingpad { ptr, i32 } cleanup
  %again = call i64 @observe() [ "deopt"(i64 %w) ]
  resume { ptr, i32 } %l
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %p
  %a = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %w = or i64 %a, 4
  %r = call i64 @f(i64 %w)
  ret i64 %r
}
;--- boxed in a double
; SAFEPOINT @f callee=observe: "deopt":[{"kind":"indirect",
declare ptr addrspace(1) @allocate(i64, i64)
declare i64 @observe()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
define i64 @f(double %d) noinline gc "statepoint-example" {
  %seen = call i64 @observe() [ "deopt"(double %d) ]
  %w = bitcast double %d to i64
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %v = load i64, ptr addrspace(1) %p
  %same = icmp eq i64 %seen, %w
  %right = icmp eq i64 %v, 7
  %both = and i1 %same, %right
  %r = zext i1 %both to i64
  ret i64 %r
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %p
  %a = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %w = or i64 %a, 2
  %d = bitcast i64 %w to double
  %r = call i64 @f(double %d)
  ret i64 %r
}
;--- in a loop, inlined, in the states of two methods
declare ptr addrspace(1) @allocate(i64, i64)
declare i64 @observe()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
define internal i64 @inner(i64 %w) alwaysinline gc "statepoint-example" {
  %seen = call i64 @observe() [ "deopt"(i64 %w) ]
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %w)
  %v = load i64, ptr addrspace(1) %p
  %same = icmp eq i64 %seen, %w
  %r = select i1 %same, i64 %v, i64 0
  ret i64 %r
}
define i64 @f(i64 %w) noinline gc "statepoint-example" {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %j, %loop ]
  %sum = phi i64 [ 0, %0 ], [ %next, %loop ]
  %x = phi i64 [ %w, %0 ], [ %y, %loop ]
  %s = call i64 @inner(i64 %x) [ "deopt"(i64 0, i64 0) ]
  %next = add i64 %sum, %s
  %y = xor i64 %x, 1
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, 4
  br i1 %more, label %loop, label %done
done:
  %right = icmp eq i64 %next, 28
  %r = zext i1 %right to i64
  ret i64 %r
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %p
  %w = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %r = call i64 @f(i64 %w)
  ret i64 %r
}
