; Option is checked.
; RUN: spaces={2,2:64,1:32,256:32,271:32,16777216:32,2:32:9,2:32:,2:32:0:,x:32}
; RUN: spaces=2:32,2:32
; RUN: spaces=2:32,3:32,4:32,5:32,6:32
; STATUS: invalid_option
; ERROR: is written SPACE:32[:SHIFT[:BASE]]
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  ret ptr addrspace(2) %p
}
