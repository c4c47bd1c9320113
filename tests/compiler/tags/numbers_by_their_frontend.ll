; What smd.gc.number gives is no reference, as its frontend knows.
;--- numbers that their frontend knows are none, among references: chosen, in states, across safepoints
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 40 = 80
; RESULT: 48 = 96
declare ptr addrspace(1) @allocate(i64, i64)
declare i64 @observe()
declare void @collect()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
declare i64 @smd.gc.number(i64)
@high = constant i64 281474976710656
define i64 @plus(i64 %a, i64 %b) noinline gc "statepoint-example" {
  %box = load i64, ptr @high
  %tag = and i64 %a, %box
  %is = icmp ne i64 %tag, 0
  br i1 %is, label %fixnums, label %objects
fixnums:
  %x = sub i64 %a, %box
  %raw = add i64 %x, %b
  %sum = call i64 @smd.gc.number(i64 %raw)
  br label %on
objects:
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %a)
  call void @collect()
  %v = load i64, ptr addrspace(1) %p
  %o = call ptr addrspace(1) @allocate(i64 8, i64 0)
  %d = shl i64 %v, 1
  store i64 %d, ptr addrspace(1) %o
  %ref = call i64 @smd.gc.to_int(ptr addrspace(1) %o)
  br label %on
on:
  %r = phi i64 [ %sum, %fixnums ], [ %ref, %objects ]
  %seen = call i64 @observe() [ "deopt"(i64 %r) ]
  %same = icmp eq i64 %seen, %r
  %t = and i64 %r, %box
  %number = icmp ne i64 %t, 0
  br i1 %same, label %right, label %wrong
right:
  br i1 %number, label %n, label %q
n:
  %plain = sub i64 %r, %box
  ret i64 %plain
q:
  %object = call ptr addrspace(1) @smd.gc.from_int(i64 %r)
  %held = load i64, ptr addrspace(1) %object
  ret i64 %held
wrong:
  ret i64 1
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %box = load i64, ptr @high
  %which = and i64 %n, 16
  %is = icmp eq i64 %which, 0
  br i1 %is, label %number, label %object
number:
  %f = or i64 %n, %box
  %r = call i64 @plus(i64 %f, i64 %f)
  ret i64 %r
object:
  %p = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %p
  %w = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %s = call i64 @plus(i64 %w, i64 %w)
  ret i64 %s
}
;--- number has one type
; RUN: safepoints=none
; STATUS: invalid_gcroot
; ERROR: smd.gc.number is a declared function: i64 (i64)
declare i32 @smd.gc.number(i32)
define i32 @f(i32 %n) gc "statepoint-example" {
  %r = call i32 @smd.gc.number(i32 %n)
  ret i32 %r
}
;--- and needs statepoints
; RUN: safepoints=none
; STATUS: gc_mismatch
; ERROR @f: smd.gc.number need a function whose strategy has statepoints
declare i64 @smd.gc.number(i64)
define i64 @f(i64 %n) {
  %r = call i64 @smd.gc.number(i64 %n)
  ret i64 %r
}
