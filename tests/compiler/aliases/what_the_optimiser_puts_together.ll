; Two casts that the optimiser makes one of, and one that it takes out of a loop.
;--- call void @leaf(ptr %r)
; RUN: safepoints=none opt={0,1,2,3,s}
; ROOTS: 1
declare void @leaf(ptr) "gc-leaf-function"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  %r = addrspacecast ptr addrspace(1) %p to ptr
  call void @leaf(ptr %r)
  call void @g()
  %s = addrspacecast ptr addrspace(1) %p to ptr
  call void @leaf(ptr %s)
  ret ptr addrspace(1) null
}
;--- br label %loop
; RUN: safepoints=none opt=2
; ROOTS: 1
declare void @leaf(ptr) "gc-leaf-function"
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
  br label %loop
loop:
  %r = addrspacecast ptr addrspace(1) %p to ptr
  %d = getelementptr i8, ptr %r, i64 8
  call void @leaf(ptr %d)
  call void @g()
  br i1 %c, label %loop, label %end
end:
  ret ptr addrspace(1) null
}
