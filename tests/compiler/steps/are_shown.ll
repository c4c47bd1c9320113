; The module can be seen after each step of the rewrite, between the stages and in the order of the steps.
; RUN: safepoints=none after=rewrite_statepoints,regions_mark
; STAGES: /"stage":"place".*"stage":"regions_mark".*"stage":"rewrite_statepoints".*"stage":"rewrite"/
; STAGES=6: "stage":
; WARNING-NOT:
; Parts of names are none.
; RUN: emit=stages after=regions_mark,regions
; RUN: emit=stages after=regions,regions_mark
; STATUS: invalid_option
; ERROR: /after: 'regions' is no step; these are: passes,scalable_check,.*,regions_mark,.*,swaps_set_apart/
; RUN: emit=stages after=,regions_mark
; RUN: emit=stages after=regions_mark,
; STATUS: invalid_option
; ERROR: /after: '' is no step; these are: passes,scalable_check,.*,regions_mark,.*,swaps_set_apart/
; RUN: safepoints=none emit=obj after=regions_mark
; WARNING: The option 'after' has no effect: emit does not name stages
; SAME-AS: after=
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %a) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %a
}
