; Records that are asked for stay.
; RUN: opt={0,2}
; SAFEPOINTS reason=call: 4
@x = external global i64
declare i64 @pure(i64) memory(none)
define ptr addrspace(1) @f(ptr addrspace(1) %p) "smd-safepoints"="none"  gc "statepoint-example" {
  %a = call i64 @pure(i64 1) [ "deopt"(i32 1) ]
  %b = call i64 @pure(i64 %a) "statepoint-id"="7"
  %c = call i64 @pure(i64 %b) "statepoint-num-patch-bytes"="5"
  %d = call i64 @pure(i64 %c) [ "gc-live"(ptr addrspace(1) %p) ]
  %e = call i64 @pure(i64 %d)
  store i64 %e, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
