; A reference that code generation finds to be a constant is not defined on an unwind edge, unless
; another block has it.
;--- 1
; RUN: safepoints=none opt=0
; META=1: no blocks of their own
; RUN: safepoints=none opt=2
; META-NOT: no blocks of their own
declare void @g()
declare i32 @p(...)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr addrspace(1) %r)  gc "statepoint-example" personality ptr @p {
  %same = icmp eq ptr addrspace(1) %o, %o
  %v = select i1 %same, ptr addrspace(1) %o, ptr addrspace(1) null
  invoke void @g() to label %on unwind label %pad
pad:
  %l = landingpad token cleanup
  call void @g()
  br label %on
on:
  ret ptr addrspace(1) %v
}
;--- define ref @f(ref %o, ref %r) noinline optnone gc
; RUN: safepoints=none opt=2
; META=1: no blocks of their own
declare void @g()
declare i32 @p(...)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr addrspace(1) %r) noinline optnone gc "statepoint-example" personality ptr @p {
  %same = icmp eq ptr addrspace(1) %o, %o
  %v = select i1 %same, ptr addrspace(1) %o, ptr addrspace(1) null
  invoke void @g() to label %on unwind label %pad
pad:
  %l = landingpad token cleanup
  call void @g()
  br label %on
on:
  ret ptr addrspace(1) %v
}
;--- %v = getelementptr i8, ref %o, i64 8
; RUN: safepoints=none opt=0
; META-NOT: no blocks of their own
declare void @g()
declare i32 @p(...)
define ptr addrspace(1) @f(ptr addrspace(1) %o, ptr addrspace(1) %r)  gc "statepoint-example" personality ptr @p {
  %same = icmp eq ptr addrspace(1) %o, %o
  %v = getelementptr i8, ptr addrspace(1) %o, i64 8
  invoke void @g() to label %on unwind label %pad
pad:
  %l = landingpad token cleanup
  call void @g()
  br label %on
on:
  ret ptr addrspace(1) %v
}
