; Calls in the notation of typed pointers.
; RUN: safepoints=none
;--- This call names its callee
; STATUS: parse_error
; ERROR: This call names its callee
; AT=8: %r = call i32 (i8*, ...)* @printf(ptr %o)
declare i32 @printf(ptr, ...)
define i32 @t(ptr %o) {
  %r = call i32 (i8*, ...)* @printf(ptr %o)
  ret i32 0
}
;--- call fastcc void (i32) * %o(i32 1)
; STATUS: parse_error
; ERROR: This call names its callee
; AT=3: call fastcc void (i32) * %o(i32 1)
define void @t(ptr %o) {
  call fastcc void (i32) * %o(i32 1)
  ret void
}
;--- ; call void ()* @x()
; META=1: "pipeline"
declare i32 @printf(ptr, ...)
declare ptr @take(ptr)
define void @t(ptr %o) {
  ; call void ()* @x()
  %r = call i32 (ptr, ...) @printf(ptr %o)
  %s = call ptr @take(i32 (i32)* %o)
  ret void
}
