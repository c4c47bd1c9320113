; Inside of other values.
;--- %n = extractvalue { i64, i64 } %x, 1
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f({ i64, i64 } %x, { i64, i64 } %y, i1 %c) gc "statepoint-example" {
  call void @g()
  %n = extractvalue { i64, i64 } %x, 1
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %s = select i1 %c, [2 x i64] %x, [2 x i64] %y
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f([2 x i64] %x, [2 x i64] %y, i1 %c) gc "statepoint-example" {
  %s = select i1 %c, [2 x i64] %x, [2 x i64] %y
  call void @g()
  %n = extractvalue [2 x i64] %s, 0
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %s = load volatile { i32, { i64, i8 } }, ptr %x
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr %x, ptr %y, i1 %c) gc "statepoint-example" {
  %s = load volatile { i32, { i64, i8 } }, ptr %x
  call void @g()
  %n = extractvalue { i32, { i64, i8 } } %s, 1, 0
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %s = cmpxchg ptr %x, i64 0, i64 1 seq_cst seq_cst
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr %x, ptr %y, i1 %c) gc "statepoint-example" {
  %s = cmpxchg ptr %x, i64 0, i64 1 seq_cst seq_cst
  call void @g()
  %n = extractvalue { i64, i1 } %s, 0
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %n = bitcast double %x to i64
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(double %x, double %y, i1 %c) gc "statepoint-example" {
  call void @g()
  %n = bitcast double %x to i64
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %d = extractvalue { double, i64 } %x, 0
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f({ double, i64 } %x, { double, i64 } %y, i1 %c) gc "statepoint-example" {
  call void @g()
  %d = extractvalue { double, i64 } %x, 0
  %n = bitcast double %d to i64
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- br i1 %c, label %a, label %b
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=2: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(double %x, double %y, i1 %c) gc "statepoint-example" {
  br i1 %c, label %a, label %b
a:
  call void @g()
  br label %b
b:
  %d = phi double [ %x, %0 ], [ %y, %a ]
  call void @g()
  %n = bitcast double %d to i64
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %l = and i64 %y, 4294967295
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(i64 %x, i64 %y, i1 %c) gc "statepoint-example" {
  %l = and i64 %y, 4294967295
  %k = or i64 %l, 9222246136947933184
  %n = select i1 %c, i64 %x, i64 %k
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %z = load i64, ptr addrspace(1) %o
  ret i64 %z
}
;--- changes other bits
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: changes other bits
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(i64 %x, i64 %y, i1 %c) gc "statepoint-example" {
  call void @g()
  %n = call i64 @llvm.bswap.i64(i64 %x)
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
declare i64 @llvm.bswap.i64(i64)
;--- is taken out of a vector
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: is taken out of a vector
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(<2 x i64> %x, <2 x i64> %y, i1 %c) gc "statepoint-example" {
  call void @g()
  %n = extractelement <2 x i64> %x, i32 0
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- smd.gc.to_int
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: smd.gc.to_int
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = ptrtoint ptr addrspace(1) %p to i64
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
