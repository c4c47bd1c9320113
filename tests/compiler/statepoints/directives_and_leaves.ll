; Directives and leaves.
; RUN: safepoints=none
; STACKMAP=1: "id":1234
; SAFEPOINTS: 1
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g() "statepoint-id"="1234" "statepoint-num-patch-bytes"="8"
  call void @g() "gc-leaf-function"
  ret ptr addrspace(1) %p
}
