; A reference among the operands is in a slot of the managed function, which its record lists, and
; is read where it is used: what leave does behind its own call it does to the object where it is
; then.
;--- call void @g() [ "gc-transition"(ref %o) ]
; RUN: safepoints=none opt={0,1,2,3}
; IR: define void @f(
; THEN: store ptr addrspace(1) %o, ptr %transition
; THEN: @f.transition, i32 1, i32 0, ptr %transition
; THEN: "gc-live"(ptr %transition)
; THEN: define internal void @f.transition(ptr %0)
; THEN: load volatile ptr addrspace(1)
; THEN: @enter,
; THEN: @g,
; THEN: @leave,
; THEN: load volatile ptr addrspace(1)
; THEN: , i64 24
; THEN: store i8 1
; RUN: safepoints=none
; STACKMAP=1: "fields":[{"offset":0,"size":8,"space":1}]
declare void @enter(ptr addrspace(1))
declare void @leave()
define void @gc.transition_enter(ptr addrspace(1) %o) {
  call void @enter(ptr addrspace(1) %o)
  ret void
}
define void @gc.transition_leave(ptr addrspace(1) %o) {
  %f = getelementptr i8, ptr addrspace(1) %o, i64 24
  call void @leave()
  store i8 1, ptr addrspace(1) %f
  ret void
}
declare void @g()
define void @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %i = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @g() [ "gc-transition"(ptr addrspace(1) %o) ]
  ret void
}
;--- call void @g() [ "gc-transition"(ref %i) ]
; RUN: safepoints=none opt={0,1,2,3}
; IR: define void @f(
; THEN: alloca { ptr addrspace(1), i64 }
; THEN: store ptr addrspace(1) %o, ptr %transition
; THEN: @f.transition(
; THEN: @leave,
; THEN: load volatile ptr addrspace(1)
; RUN: safepoints=none
; STACKMAP=1: "fields":[{"offset":0,"size":8,"space":1}]
declare void @enter(ptr addrspace(1))
declare void @leave()
define void @gc.transition_enter(ptr addrspace(1) %o) {
  call void @enter(ptr addrspace(1) %o)
  ret void
}
define void @gc.transition_leave(ptr addrspace(1) %o) {
  %f = getelementptr i8, ptr addrspace(1) %o, i64 24
  call void @leave()
  store i8 1, ptr addrspace(1) %f
  ret void
}
declare void @g()
define void @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %i = getelementptr i8, ptr addrspace(1) %o, i64 8
  call void @g() [ "gc-transition"(ptr addrspace(1) %i) ]
  ret void
}
