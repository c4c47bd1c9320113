; No poll between a musttail call and its return.
; RUN: safepoints=return opt=0
; REMARKS=1: musttail
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define void @f() gc "statepoint-example" {
  musttail call void @g()
  ret void
}
