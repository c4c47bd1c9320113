; A function may say for itself.
;--- define void @plain() gc "statepoint-example" {
; RUN: safepoints=entry
; SAFEPOINTS reason=entry-poll: 1
; SAFEPOINTS reason=return-poll: 1
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @plain() gc "statepoint-example" {
  ret void
}
define void @none() "smd-safepoints"="none" gc "statepoint-example" {
  ret void
}
define void @return() "smd-safepoints"="return" gc "statepoint-example" {
  ret void
}
;--- sometimes
; RUN:
; STATUS: invalid_option
; ERROR: sometimes
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
define void @f() "smd-safepoints"="sometimes" gc "statepoint-example" {
  ret void
}
