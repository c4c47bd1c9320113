; Slots that can be values are, with no reference in any.
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
;--- %s = alloca i64
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(i64 %i, i1 %c) gc "statepoint-example" {
  %s = alloca i64
  store i64 %i, ptr %s
  call void @g()
  %m = load i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %s = alloca { i64, [2 x double] }
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(i64 %i) gc "statepoint-example" {
  %s = alloca { i64, [2 x double] }
  %e = getelementptr i8, ptr %s, i64 16
  store i64 %i, ptr %e
  call void @g()
  %d = load double, ptr %e
  %m = bitcast double %d to i64
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %n = call i64 @smd.gc.to_int(ref %p)
; STACKMAP=2: "tag_mask":-281474976710649
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %m = or i64 %n, 1
  call void @g()
  %k = sub i64 %m, 1
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %k)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
