; Marks that smd sets itself would be taken for its own where the module comes with them.
; RUN: opt=2 safepoints=none
; STATUS: invalid_module
declare void @g()

;--- an attribute of a function
; ERROR: "smd-optnone" is a mark of smd's own
define void @f() "smd-optnone" {
  ret void
}

;--- an attribute of a call
; ERROR: "smd-leaf" is a mark of smd's own
define void @f() gc "statepoint-example" {
  call void @g() "smd-leaf"
  ret void
}

;--- metadata
; ERROR: "smd.address" is a mark of smd's own
define ptr addrspace(1) @f(i64 %i) {
  %r = inttoptr i64 %i to ptr addrspace(1), !smd.address !0
  ret ptr addrspace(1) %r
}
!0 = !{}

;--- a function
; ERROR: There is no function smd.late
declare void @smd.late()
define void @f() {
  call void @smd.late()
  ret void
}
