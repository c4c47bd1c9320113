; Behind invokes, of structs and vectors as of single ones.
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt=0
; STACKMAP=8: "fields":[{"offset":0,"size":4,"space":2}]
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %v = insertelement <2 x ptr addrspace(2)> zeroinitializer, ptr addrspace(2) %q, i64 0
  invoke void @g() to label %n unwind label %pad
n:
  invoke void @g() to label %m unwind label %pad
m:
  ret ptr addrspace(2) %p
pad:
  %x = phi { ptr addrspace(2), i32 } [ zeroinitializer, %entry ], [ { ptr addrspace(2) null, i32 1 }, %n ]
  %y = phi <2 x ptr addrspace(2)> [ %v, %entry ], [ zeroinitializer, %n ]
  %l = landingpad { ptr, i32 } cleanup
  call void @g()
  %e = extractelement <2 x ptr addrspace(2)> %y, i64 %i
  ret ptr addrspace(2) %e
}
