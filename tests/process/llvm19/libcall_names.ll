; No statepoint is made of a call of a function that is named like C's.
; COMMAND: opt-19 -S -passes=rewrite-statepoints-for-gc %s
; FAULT: = call i64 @read\(
declare i64 @read(i32, ptr, i64)
define ptr addrspace(1) @f(ptr addrspace(1) %a, ptr %p) gc "statepoint-example" {
  %n = call i64 @read(i32 0, ptr %p, i64 8)
  ret ptr addrspace(1) %a
}
