; What has too many parts is refused by name; one that is taken apart before, or put together after,
; is as it was.
; RUN: safepoints=none opt=0
;--- %a of type [65 x ptr addrspace(1)]
; STATUS: cannot_rewrite
; ERROR: %a of type [65 x ptr addrspace(1)]
declare void @g()
define [65 x ptr addrspace(1)] @f([65 x ptr addrspace(1)] %a) gc "statepoint-example" {
  call void @g()
  ret [65 x ptr addrspace(1)] %a
}
;--- %a = call { ref, i64 } @two()
; SAFEPOINTS reason=call: 2
declare void @g()
declare { ptr addrspace(1), i64 } @two()
define ptr addrspace(1) @f() gc "statepoint-example" {
  %a = call { ptr addrspace(1), i64 } @two()
  %p = extractvalue { ptr addrspace(1), i64 } %a, 0
  call void @g()
  ret ptr addrspace(1) %p
}
;--- %a = insertvalue { ref, i64 } undef, ref %p, 0
; SAFEPOINTS reason=call: 1
declare void @g()
define { ptr addrspace(1), i64 } @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  %a = insertvalue { ptr addrspace(1), i64 } undef, ptr addrspace(1) %p, 0
  ret { ptr addrspace(1), i64 } %a
}
