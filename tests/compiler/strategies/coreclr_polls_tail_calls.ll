; Before tail calls as well, where they are sure to be made as such.
; RUN:
; SAFEPOINTS reason=precall-poll: 1
; SAFEPOINTS: 2
; RUN: safepoints=backedge emit=ir
; IR=2: @stop()
declare void @stop()
define void @gc.safepoint_poll() {
  call void @stop()
  ret void
}
declare void @g()
define void @f() gc "coreclr" {
  call void @g()
  musttail call void @g()
  ret void
}
