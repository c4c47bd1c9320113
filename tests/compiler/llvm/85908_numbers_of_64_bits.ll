; A statepoint's number has 64 bits. LLVM before 19 kept 32 of them.
; RUN: opt={0,1,2,3} safepoints=none
; SAFEPOINT=1 @f #0: "id":4294967297
; SAFEPOINT=1 @f #1: "id":-1
; READOBJ: agrees
declare void @g()
define void @f() gc "statepoint-example" {
  call void @g() "statepoint-id"="4294967297"
  call void @g() "statepoint-id"="18446744073709551615"
  ret void
}
