; Where a parameter is passed its attributes say, and a statepoint has none but its call's.
;--- store ref %v, ref %o
; RUN: opt={0,1,2,3} safepoints=none barriers=auto
; IR=1: ptr addrspace(1) swiftself %o
declare swiftcc void @gc.write_barrier(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1) swiftself)
define void @f(ptr addrspace(1) %o, ptr addrspace(1) %v) gc "statepoint-example" {
  store ptr addrspace(1) %v, ptr addrspace(1) %o
  ret void
}
;--- %v = load ref, ref %o
; RUN: opt={0,1,2,3} safepoints=none barriers=auto barrier=load:heal:1
; IR=1: ptr addrspace(1) swiftself %o
declare swiftcc ptr addrspace(1) @heal(ptr addrspace(1), ptr addrspace(1) swiftself)
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %v = load ptr addrspace(1), ptr addrspace(1) %o
  ret ptr addrspace(1) %v
}
