; Tags are references all the while.
;--- 1
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
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
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %m = add i64 %n, 2
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=3: "tag_mask":-281474976710649
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  call void @g()
  %m = add i64 %n, 2
  call void @g()
  %k = xor i64 %m, 2
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %k)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %t = phi i64 [ 1, %entry ], [ 3, %a ]
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %t = phi i64 [ 1, %entry ], [ 3, %a ]
  %m = or i64 %n, %t
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %m = or i64 %n, 1
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP-NOT: "tag_mask":-281474976710649
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %m = or i64 %n, 1
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  call void @g()
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %o = call ref @smd.gc.from_int(i64 %i)
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %i)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %m = load volatile i64, ref %p
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %m = load volatile i64, ptr addrspace(1) %p
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %m = phi i64 [ %n, %a ], [ 9222246136947933191, %entry ]
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  br i1 %c, label %a, label %b
a:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  br label %b
b:
  %m = phi i64 [ %n, %a ], [ 9222246136947933191, %entry ]
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %s = alloca i64
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  call void @llvm.gc.declare(ptr %s, ptr null)
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  store i64 %n, ptr %s
  call void @g()
  %m = load i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %h = lshr i64 %n, 4
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP-NOT: "tag_mask":-281474976710649
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %h = lshr i64 %n, 4
  %k = mul i64 %h, 31
  call void @g()
  ret i64 %k
}
;--- call void @llvm.gc.value.i64(i64 %n, ptr @t)
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "type":{"symbol":"t","addend":0},"tag_mask"
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  call void @llvm.gc.value.i64(i64 %n, ptr @t)
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
declare void @llvm.gc.value.i64(i64, ptr)
;--- call void @g() [ "gc-type"(i64 %n, i64 7) ]
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "type":7,"tag_mask"
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
;--- %n = call i64 @smd.gc.to_int(ref %p)
; RUN: safepoints=none tag_mask=7
; STACKMAP=1: "tag_mask":7
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
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
