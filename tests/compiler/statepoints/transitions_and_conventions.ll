; Transitions and conventions.
; RUN: safepoints=none
;--- call void @g() [ "gc-transition"() ]
; STACKMAP=1: "gc_transition":true
declare void @g()
define void @f() gc "statepoint-example" {
  call void @g() [ "gc-transition"() ]
  ret void
}
;--- call fastcc void @g()
; STACKMAP=1: "calling_convention":{"id":8,"name":"fastcc"}
declare fastcc void @g()
define void @f() gc "statepoint-example" {
  call fastcc void @g()
  ret void
}
