; A value that two functions give a type is refused where one function says both, and has the first where the optimiser
; put the functions into one.
; RUN: opt={0,1,2,3} safepoints=none
declare void @g()

;--- in one function
; STATUS: invalid_gcroot
; ERROR @f: %o has two types: give each a slot or a value of its own
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @g() [ "gc-type"(ptr addrspace(1) %o, i64 7) ]
  call void @g() [ "gc-type"(ptr addrspace(1) %o, i64 8) ]
  ret ptr addrspace(1) %o
}

;--- of two
; SAFEPOINT @f callee=g: "type":7
; SAFEPOINT-NOT @f callee=g: "type":8
define internal void @i(ptr addrspace(1) %o) alwaysinline gc "statepoint-example" {
  call void @g() [ "gc-type"(ptr addrspace(1) %o, i64 8) ]
  ret void
}
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  call void @g() [ "gc-type"(ptr addrspace(1) %o, i64 7) ]
  call void @i(ptr addrspace(1) %o)
  ret ptr addrspace(1) %o
}
