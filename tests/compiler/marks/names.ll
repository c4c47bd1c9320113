; Names that begin as smd's and its intrinsics' do are those of functions that there are.
;--- none such
; RUN: opt=0 safepoints=none
; STATUS: invalid_module
; ERROR: There is no function smd.gc.pinned
declare ptr @smd.gc.pinned(ptr addrspace(1))

define ptr @f(ptr addrspace(1) %o) gc "statepoint-example" {
  %p = call ptr @smd.gc.pinned(ptr addrspace(1) %o)
  ret ptr %p
}
;--- a mark of smd's own
; RUN: opt=0 safepoints=none
; STATUS: invalid_module
; ERROR: There is no function smd.scope.begin
declare void @smd.scope.begin(i32)

define void @f() gc "statepoint-example" {
  call void @smd.scope.begin(i32 1)
  ret void
}
;--- not called
; RUN: opt=0 safepoints=none
; STATUS: invalid_module
; ERROR: smd.gc.pin can only be called
declare ptr @smd.gc.pin(ptr addrspace(1))

define ptr @f() gc "statepoint-example" {
  ret ptr @smd.gc.pin
}
