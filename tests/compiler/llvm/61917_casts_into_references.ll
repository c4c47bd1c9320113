; LLVM's rewrite makes broken IR of a pointer that is cast into a reference, and lists no step from null, whatever
; the number: both are refused by name. An integer that is cast is a reference.
;--- a pointer
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @f: %r is a pointer of another address space, cast into a GC pointer, and is given to the call of g
declare void @g(ptr addrspace(1))
define void @f(ptr %x) gc "statepoint-example" {
  %r = addrspacecast ptr %x to ptr addrspace(1)
  call void @g(ptr addrspace(1) %r)
  ret void
}
;--- steps from null
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @f: %r is stepped from null by a computed number, and stays alive across the call of g
declare void @g(ptr addrspace(1))
define void @f(i64 %x) gc "statepoint-example" {
  %p = getelementptr i8, ptr null, i64 %x
  %r = addrspacecast ptr %p to ptr addrspace(1)
  call void @g(ptr addrspace(1) %r)
  call void @g(ptr addrspace(1) %r)
  ret void
}
;--- steps from a null reference
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR @f: %r is stepped from null by a computed number, and stays alive across the call of g
declare void @g(ptr addrspace(1))
define void @f(i64 %x) gc "statepoint-example" {
  %r = getelementptr i8, ptr addrspace(1) null, i64 %x
  call void @g(ptr addrspace(1) %r)
  call void @g(ptr addrspace(1) %r)
  ret void
}
;--- steps from null that no safepoint follows: a size, an argument
; RUN: opt={0,1,2,3} safepoints=none
; ROOTS: 0
declare void @g(ptr addrspace(1), i64)
define void @f(i64 %x) gc "statepoint-example" {
  %end = getelementptr i64, ptr addrspace(1) null, i64 %x
  %size = ptrtoint ptr addrspace(1) %end to i64
  %r = getelementptr i8, ptr addrspace(1) null, i64 %x
  call void @g(ptr addrspace(1) %r, i64 %size)
  ret void
}
;--- an integer
; RUN: opt={0,1,2,3} safepoints=none
; ROOTS: 1
declare void @g(ptr addrspace(1))
define void @f(i64 %x) gc "statepoint-example" {
  %r = inttoptr i64 %x to ptr addrspace(1)
  call void @g(ptr addrspace(1) %r)
  call void @g(ptr addrspace(1) %r)
  ret void
}
