; A double that a phi or a select chooses may be a boxed reference: it is followed as an integer, also where it is not
; alive across a safepoint itself.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 10 = 60
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
declare void @llvm.gc.value.i64(i64, ptr)

define internal double @box(i64 %n) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %o
  %i = call i64 @smd.gc.to_int(ptr addrspace(1) %o)
  %d = bitcast i64 %i to double
  ret double %d
}
define internal i64 @sum(double %first, i64 %n) noinline gc "statepoint-example" {
e:
  br label %l
l:
  %v = phi double [ %first, %e ], [ %w, %l ]
  %i = phi i64 [ 0, %e ], [ %j, %l ]
  %s = phi i64 [ 0, %e ], [ %t, %l ]
  %b = bitcast double %v to i64
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %b)
  %x = load i64, ptr addrspace(1) %o
  call void @collect()
  %y = load i64, ptr addrspace(1) %o
  %t0 = add i64 %s, %x
  %t1 = add i64 %t0, %y
  %t = sub i64 %t1, %i
  %j = add i64 %i, 1
  %w = call double @box(i64 %j)
  %c = icmp slt i64 %j, %n
  br i1 %c, label %l, label %x1
x1:
  ret i64 %t
}
define internal i64 @either(double %a, double %b, i1 %c) noinline gc "statepoint-example" {
  %v = select i1 %c, double %a, double %b
  %i = bitcast double %v to i64
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %i)
  call void @collect()
  %x = load i64, ptr addrspace(1) %o
  ret i64 %x
}
define i64 @program(i64 %n) gc "statepoint-example" {
  %d = call double @box(i64 10)
  %s = call i64 @sum(double %d, i64 %n)
  %a = call double @box(i64 -5)
  %e = call i64 @either(double %a, double %a, i1 true)
  %t = add i64 %s, %e
  ret i64 %t
}
