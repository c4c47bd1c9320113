; An object that escape analysis has put into a stack slot has no card, and what is read from there needs no barrier.
;--- ready-made ones
; RUN: opt={0,2} safepoints=none barriers=auto barrier={card:cards:9,satb:keep:marking,load:heal:7}
; IR-NOT @f: cards
; IR-NOT @f: keep
; IR-NOT @f: heal
declare void @g(ptr)
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %slot = alloca { ptr addrspace(1), i64 }
  %object = addrspacecast ptr %slot to ptr addrspace(1)
  store ptr addrspace(1) %o, ptr addrspace(1) %object
  call void @g(ptr %slot)
  %again = addrspacecast ptr %slot to ptr addrspace(1)
  %v = load ptr addrspace(1), ptr addrspace(1) %again
  ret ptr addrspace(1) %v
}
;--- the module's own
; RUN: opt={0,2} safepoints=none barriers=auto
; IR-NOT @f: @mark
declare void @g(ptr)
declare void @mark() "gc-leaf-function"
define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s) {
  call void @mark()
  store ptr addrspace(1) %v, ptr addrspace(1) %s
  ret void
}
define internal ptr addrspace(1) @gc.read_barrier(ptr addrspace(1) %o, ptr addrspace(1) %s) {
  call void @mark()
  %v = load ptr addrspace(1), ptr addrspace(1) %s
  ret ptr addrspace(1) %v
}
define ptr addrspace(1) @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %slot = alloca { ptr addrspace(1), i64 }
  %object = addrspacecast ptr %slot to ptr addrspace(1)
  store ptr addrspace(1) %o, ptr addrspace(1) %object
  call void @g(ptr %slot)
  %again = addrspacecast ptr %slot to ptr addrspace(1)
  %v = load ptr addrspace(1), ptr addrspace(1) %again
  ret ptr addrspace(1) %v
}
