; A double that may be a boxed reference comes from an invoke to where others lead as well.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 7 = 14
; RESULT: 8 = 16
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare i64 @observe()
declare i32 @handle_all(...)
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
define double @boxed(i64 %n) noinline gc "statepoint-example" {
  %p = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %p
  call void @collect()
  %i = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %d = bitcast i64 %i to double
  ret double %d
}
define i64 @f(double %w, i64 %n, i1 %c) noinline gc "statepoint-example" personality ptr @handle_all {
  br i1 %c, label %a, label %b
a:
  %r = invoke double @boxed(i64 %n) to label %b unwind label %u
b:
  %d = phi double [ %w, %0 ], [ %r, %a ]
  %seen = call i64 @observe() [ "deopt"(double %d) ]
  %i = bitcast double %d to i64
  %same = icmp eq i64 %seen, %i
  %p = call ptr addrspace(1) @smd.gc.from_int(i64 %i)
  %v = load i64, ptr addrspace(1) %p
  %off = zext i1 %same to i64
  %r1 = add i64 %v, %off
  %r2 = sub i64 %r1, 1
  ret i64 %r2
u:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %d = call double @boxed(i64 %n)
  %x = call i64 @f(double %d, i64 %n, i1 false)
  %y = call i64 @f(double 0.0, i64 %n, i1 true)
  %r = add i64 %x, %y
  ret i64 %r
}
