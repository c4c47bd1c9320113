; Deopt values of all kinds.
; RUN: safepoints=none
; STACKMAP=1: {"kind":"constant","value":1234567890123456789,"size":8}
; STACKMAP=1: "value":-1
; STACKMAP=1: "value":7
declare void @g()
define void @f(i64 %x, double %y) gc "statepoint-example" {
  call void @g() [ "deopt"(i32 -1, i64 1234567890123456789, i8 7, i64 %x, ptr null, double %y, float 1.0) ]
  ret void
}
