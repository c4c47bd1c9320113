; An address that comes out of a double: x86-64's code generation took the vector register for it at level 0, and in
; functions with optnone.
; RUN: opt={0,2} safepoints=none target=x86_64-linux-gnu
; ASM-NOT: (%xmm
; ASM-NOT: *%xmm
define i64 @load(double %d) noinline optnone {
  %i = bitcast double %d to i64
  %p = inttoptr i64 %i to ptr
  %v = load i64, ptr %p
  ret i64 %v
}
define void @store_beside(double %d, i64 %x) noinline optnone {
  %i = bitcast double %d to i64
  %j = add i64 %i, 8
  %p = inttoptr i64 %j to ptr
  store i64 %x, ptr %p
  ret void
}
define void @call(double %d) noinline optnone {
  %i = bitcast double %d to i64
  %p = inttoptr i64 %i to ptr
  call void %p()
  ret void
}

; References are read likewise.
; RUN: opt={0,1,2,3} poll=call:collect
; RESULT: 0 = 7
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define i64 @program(i64 %n) gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 7, ptr addrspace(1) %a
  call void @collect()
  %r = ptrtoint ptr addrspace(1) %a to i64
  %d = bitcast i64 %r to double
  %k = call double @pass(double %d)
  %i = bitcast double %k to i64
  %p = inttoptr i64 %i to ptr addrspace(1)
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
define double @pass(double %d) noinline "gc-leaf-function" {
  ret double %d
}
