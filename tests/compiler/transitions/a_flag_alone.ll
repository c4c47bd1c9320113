; Without functions of the module's a transition is a flag, on AArch64 as well.
; RUN: safepoints=none opt={0,1,2,3}
; STACKMAP=2: "gc_transition":true
declare i32 @handle(...)
declare void @g()
define void @f() gc "statepoint-example" personality ptr @handle {
  call void @g() [ "gc-transition"() ]
  invoke void @g() [ "gc-transition"(i64 9) ] to label %ok unwind label %bad
ok:
  ret void
bad:
  %p = landingpad { ptr, i32 } cleanup
  ret void
}
