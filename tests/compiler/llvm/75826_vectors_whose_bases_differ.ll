; Vectors of steps, shuffled and selected: no single value is the base of all. LLVM before 18 took the step's own base for
; that of the selection, which has more elements.
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 3 = 33
; RESULT: --leave-out 0 3 != 33
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define i64 @mix(i1 %c, <2 x ptr addrspace(1)> %v, <2 x i64> %k) noinline gc "statepoint-example" {
  %steps = getelementptr i8, <2 x ptr addrspace(1)> %v, <2 x i64> %k
  %a = shufflevector <2 x ptr addrspace(1)> %steps, <2 x ptr addrspace(1)> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %b = shufflevector <2 x ptr addrspace(1)> %steps, <2 x ptr addrspace(1)> %v, <4 x i32> <i32 3, i32 0, i32 2, i32 1>
  %s = select i1 %c, <4 x ptr addrspace(1)> %b, <4 x ptr addrspace(1)> %a
  call void @collect()
  %e0 = extractelement <4 x ptr addrspace(1)> %s, i64 0
  %e1 = extractelement <4 x ptr addrspace(1)> %s, i64 1
  %e3 = extractelement <4 x ptr addrspace(1)> %s, i64 3
  %x = load i64, ptr addrspace(1) %e0
  %y = load i64, ptr addrspace(1) %e1
  call void @collect()
  %z = load i64, ptr addrspace(1) %e3
  %xy = add i64 %x, %y
  %xyz = add i64 %xy, %z
  ret i64 %xyz
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %x = call ptr addrspace(1) @allocate(i64 24, i64 0)
  %y = call ptr addrspace(1) @allocate(i64 24, i64 0)
  %x1 = getelementptr i8, ptr addrspace(1) %x, i64 8
  %y2 = getelementptr i8, ptr addrspace(1) %y, i64 16
  store i64 10, ptr addrspace(1) %x1
  store i64 20, ptr addrspace(1) %y2
  store i64 %n, ptr addrspace(1) %y
  %v0 = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %x, i64 0
  %v1 = insertelement <2 x ptr addrspace(1)> %v0, ptr addrspace(1) %y, i64 1
  %c = icmp eq i64 %n, 3
  %r = call i64 @mix(i1 %c, <2 x ptr addrspace(1)> %v1, <2 x i64> <i64 8, i64 16>)
  ret i64 %r
}
