; A landing pad has two values to give.
; RUN: opt=0
; STATUS: codegen_failed
; ERROR=1 @f: landing pad that gives neither two addresses or numbers
declare i32 @personality(...)
declare void @g()
define void @f() personality ptr @personality {
  invoke void @g() to label %l unwind label %h
l:
  ret void
h:
  %p = landingpad { ptr, i32, i32 } cleanup
  ret void
}
