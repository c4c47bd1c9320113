; Keeps what the module says.
; RUN: safepoints=none
;--- target datalayout = "e-m:e-i64:64-n8:16:32:64-S128-ni:4:7"
; META=1: -S128-ni:4:7-ni:1 
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128-ni:4:7"
define void @f(ptr addrspace(1) %p) gc "statepoint-example" {
  ret void
}
;--- target datalayout = "e-m:e-i64:64-n8:16:32:64-S128-ni:4:1"
; META-NOT: --data-layout
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128-ni:4:1"
define void @f(ptr addrspace(1) %p) gc "statepoint-example" {
  ret void
}
;--- define void @f() {
; META-NOT: --data-layout
define void @f() {
  ret void
}
