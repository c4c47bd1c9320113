; random: target=x86_64-unknown-linux-gnu opt=0 poll=call:collect safepoints=none
; moving: memory is touched that is not there
; Tagged references inside structs, and in doubles, that were taken out behind a safepoint: nothing was told of there.

declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
declare void @llvm.gc.value.i64(i64, ptr)

define internal { i64, i64 } @pair(i64 %n) noinline gc "statepoint-example" {
  %o = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %o
  %i = call i64 @smd.gc.to_int(ptr addrspace(1) %o)
  %t = or i64 %i, 1
  %p = insertvalue { i64, i64 } poison, i64 %t, 0
  %q = insertvalue { i64, i64 } %p, i64 5, 1
  call void @collect()
  ret { i64, i64 } %q
}

define internal i64 @of_struct({ i64, i64 } %p, i1 %c) noinline gc "statepoint-example" {
entry:
  %new = call { i64, i64 } @pair(i64 9)
  br i1 %c, label %first, label %join
first:
  call void @collect()
  br label %join
join:
  %one = phi { i64, i64 } [ %p, %first ], [ %new, %entry ]
  call void @collect()
  %i = extractvalue { i64, i64 } %one, 0
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %i)
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
}

define internal i64 @read(double %d) noinline gc "statepoint-example" {
  call void @collect()
  %i = bitcast double %d to i64
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %i)
  %v = load i64, ptr addrspace(1) %o
  ret i64 %v
}

define internal i64 @of_double(double %d, double %e, i1 %c) noinline gc "statepoint-example" {
  %s = select i1 %c, double %d, double %e
  %n = fneg double %s
  %back = fneg double %n
  call void @collect()
  %v = call i64 @read(double %back)
  %i = bitcast double %back to i64
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %i)
  %w = load i64, ptr addrspace(1) %o
  %sum = add i64 %v, %w
  ret i64 %sum
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %p = call { i64, i64 } @pair(i64 %n)
  %i = extractvalue { i64, i64 } %p, 0
  call void @llvm.gc.value.i64(i64 %i, ptr null)
  %q = insertvalue { i64, i64 } zeroinitializer, i64 %i, 0
  %a = call i64 @of_struct({ i64, i64 } %q, i1 true)
  %r = insertvalue { i64, i64 } zeroinitializer, i64 %i, 0
  %b = call i64 @of_struct({ i64, i64 } %r, i1 false)
  %d = bitcast i64 %i to double
  %k = call i64 @of_double(double %d, double 1.0, i1 true)
  %s = add i64 %a, %b
  %t = add i64 %s, %k
  ret i64 %t
}
