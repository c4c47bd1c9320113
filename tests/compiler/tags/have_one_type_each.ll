; Tags have one type each.
;--- 1
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "type":7
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  call void @g() [ "gc-type"(i64 %n, i64 7) ]
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- one of these values has has two types
; RUN: safepoints=none opt=0
; STATUS: invalid_gcroot
; ERROR: %n has two types
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  call void @g() [ "gc-type"(i64 %n, i64 7) ]
  call void @g() [ "gc-type"(i64 %n, i64 8) ]
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
