; What nobody has set is null, as the collector looks at it.
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt=0 emit=ir
; IR-NOT: undef
; IR-NOT: store i32 poison
; IR-NOT: [ poison
; IR=2: store i32 0,
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %a = insertvalue [3 x ptr addrspace(2)] undef, ptr addrspace(2) %p, 1
  %v = insertelement <2 x ptr addrspace(2)> poison, ptr addrspace(2) %q, i64 0
  %w = shufflevector <2 x ptr addrspace(2)> %v, <2 x ptr addrspace(2)> poison, <4 x i32> <i32 0, i32 poison, i32 1, i32 3>
  br i1 %c, label %then, label %on
then:
  call void @g()
  br label %on
on:
  %x = phi ptr addrspace(2) [ poison, %entry ], [ %p, %then ]
  call void @g()
  call void @two([3 x ptr addrspace(2)] %a, <4 x ptr addrspace(2)> %w)
  ret ptr addrspace(2) %x
}
declare void @two([3 x ptr addrspace(2)], <4 x ptr addrspace(2)>)
