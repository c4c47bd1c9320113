; leaf=NAME is a promise about functions of elsewhere; one of the module itself that calls something breaks it.
; RUN: safepoints=none leaf=t opt=0
; STATUS: invalid_option
; ERROR: leaf lists this function, which calls g
declare void @g()
define void @t() noinline {
  call void @g()
  ret void
}
define void @f() gc "statepoint-example" {
  call void @t()
  ret void
}
