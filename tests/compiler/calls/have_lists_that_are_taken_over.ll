; Calls have lists that are taken over.
;--- region
; RUN: safepoints=none opt={0,2}
; STACKMAP=1: "kind":"direct"
declare void @g()
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %s = alloca ptr addrspace(1)
  store ptr addrspace(1) %p, ptr %s
  call void @g() [ "gc-live"(ptr %s) ]
  %r = load ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %r
}
;--- %r = call ref @new(ref null) [ "gc-live"(ref %p) ]
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare ptr addrspace(1) @new(ptr addrspace(1))
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %r = call ptr addrspace(1) @new(ptr addrspace(1) null) [ "gc-live"(ptr addrspace(1) %p) ]
  ret ptr addrspace(1) %r
}
;--- %s = alloca [2 x ref]
; RUN: safepoints=none
; STACKMAP=1: "kind":"direct"
declare ptr addrspace(1) @new(ptr addrspace(1))
declare i32 @personality(...)
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) gc "statepoint-example" personality ptr @personality {
  %s = alloca [2 x ptr addrspace(1)]
  store ptr addrspace(1) %q, ptr %s
  br i1 %c, label %call, label %end
call:
  %n = invoke ptr addrspace(1) @new(ptr addrspace(1) %p) [ "gc-live"(ptr addrspace(1) %p, ptr %s), "deopt"(i32 5) ]
    to label %end unwind label %pad
end:
  %r = load ptr addrspace(1), ptr %s
  ret ptr addrspace(1) %r
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret ptr addrspace(1) %q
}
