; Code generation dies of a landing pad that gives one value.
; COMMAND: llc-19 -mtriple=x86_64-linux-gnu %s -o -
; FAULT: exit status -[1-9]
declare void @g()
declare i32 @p(...)
define i64 @f() personality ptr @p {
  invoke void @g() to label %normal unwind label %pad
normal:
  ret i64 0
pad:
  %l = landingpad i64 cleanup
  ret i64 %l
}
