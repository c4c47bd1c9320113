; C's functions that format text collect nothing: no statepoint is made of their calls, whatever `elide` says, and so
; floating-point arguments are no hindrance. Other variadic functions are safepoints, with results or without.
; RUN: opt={0,2} safepoints=none elide={none,leaf}
; SAFEPOINTS @formats: 1
; SAFEPOINT=1 @formats callee=other: "roots"
; ROOTS @formats: 1
; REMARKS: C's, and only formats text
@text = constant [3 x i8] c"%g\00"
declare i32 @printf(ptr, ...)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare i32 @other(ptr, ...)

define i32 @formats(ptr addrspace(1) %p, double %d, ptr %room) gc "statepoint-example" {
  %a = call i32 (ptr, ...) @printf(ptr @text, double %d)
  %b = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %room, i64 8, ptr @text, double %d)
  %c = call i32 (ptr, ...) @other(ptr @text, i32 %a, ptr %room)
  %v = load i32, ptr addrspace(1) %p
  %s = add i32 %c, %v
  ret i32 %s
}
