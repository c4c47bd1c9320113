; Leaves are counted.
; RUN: opt=0 safepoints=none
; META=1: were found to collect nothing
@x = external global i64
declare i64 @pure(i64) memory(none)
define i64 @f(i64 %n) gc "statepoint-example" {
  %a = call i64 @pure(i64 %n)
  ret i64 %a
}
