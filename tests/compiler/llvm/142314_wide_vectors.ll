; One of two vectors that are wider than a register, each relocated: x86-64's code generation chose their addresses, in
; the stack pointer, or crashed.
; RUN: opt={0,1,2,3} poll=call:collect
; RUN: opt={0,2} poll=call:collect gc_registers=8
; RUN: opt=2 poll=call:collect features=+avx target=x86_64-linux-gnu
; RESULT: 5 = 20
; RESULT: 1 = 24
;--- 2 references, a register of each CPU
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define <2 x ptr addrspace(1)> @make(i64 %n) noinline gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %a
  %b = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %more = add i64 %n, 10
  store i64 %more, ptr addrspace(1) %b
  %x = insertelement <2 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %a, i32 0
  %y = insertelement <2 x ptr addrspace(1)> %x, ptr addrspace(1) %b, i32 1
  ret <2 x ptr addrspace(1)> %y
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %v = call <2 x ptr addrspace(1)> @make(i64 %n)
  %w = call <2 x ptr addrspace(1)> @make(i64 3)
  call void @collect()
  %c = icmp sgt i64 %n, 3
  %s = select i1 %c, <2 x ptr addrspace(1)> %v, <2 x ptr addrspace(1)> %w
  call void @collect()
  %i = select i1 %c, i64 0, i64 1
  %e = extractelement <2 x ptr addrspace(1)> %s, i64 %i
  %l = extractelement <2 x ptr addrspace(1)> %v, i32 1
  %x = load i64, ptr addrspace(1) %e
  %y = load i64, ptr addrspace(1) %l
  %r = add i64 %x, %y
  ret i64 %r
}
;--- 4 references
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define <4 x ptr addrspace(1)> @make(i64 %n) noinline gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %a
  %b = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %more = add i64 %n, 10
  store i64 %more, ptr addrspace(1) %b
  %x = insertelement <4 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %a, i32 0
  %y = insertelement <4 x ptr addrspace(1)> %x, ptr addrspace(1) %b, i32 3
  ret <4 x ptr addrspace(1)> %y
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %v = call <4 x ptr addrspace(1)> @make(i64 %n)
  %w = call <4 x ptr addrspace(1)> @make(i64 3)
  call void @collect()
  %c = icmp sgt i64 %n, 3
  %s = select i1 %c, <4 x ptr addrspace(1)> %v, <4 x ptr addrspace(1)> %w
  call void @collect()
  %i = select i1 %c, i64 0, i64 3
  %e = extractelement <4 x ptr addrspace(1)> %s, i64 %i
  %l = extractelement <4 x ptr addrspace(1)> %v, i32 3
  %x = load i64, ptr addrspace(1) %e
  %y = load i64, ptr addrspace(1) %l
  %r = add i64 %x, %y
  ret i64 %r
}
;--- 8 references
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()

define <8 x ptr addrspace(1)> @make(i64 %n) noinline gc "statepoint-example" {
  %a = call ptr addrspace(1) @allocate(i64 16, i64 0)
  store i64 %n, ptr addrspace(1) %a
  %b = call ptr addrspace(1) @allocate(i64 16, i64 0)
  %more = add i64 %n, 10
  store i64 %more, ptr addrspace(1) %b
  %x = insertelement <8 x ptr addrspace(1)> zeroinitializer, ptr addrspace(1) %a, i32 0
  %y = insertelement <8 x ptr addrspace(1)> %x, ptr addrspace(1) %b, i32 7
  ret <8 x ptr addrspace(1)> %y
}

define i64 @program(i64 %n) gc "statepoint-example" {
  %v = call <8 x ptr addrspace(1)> @make(i64 %n)
  %w = call <8 x ptr addrspace(1)> @make(i64 3)
  call void @collect()
  %c = icmp sgt i64 %n, 3
  %s = select i1 %c, <8 x ptr addrspace(1)> %v, <8 x ptr addrspace(1)> %w
  call void @collect()
  %i = select i1 %c, i64 0, i64 7
  %e = extractelement <8 x ptr addrspace(1)> %s, i64 %i
  %l = extractelement <8 x ptr addrspace(1)> %v, i32 7
  %x = load i64, ptr addrspace(1) %e
  %y = load i64, ptr addrspace(1) %l
  %r = add i64 %x, %y
  ret i64 %r
}
