; An address may be of either slot; a copy brings what nobody stored; numbers join a reference in
; one slot.
;--- stored into a stack slot where no collector finds it
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  %u = alloca i64
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %w = select i1 %c, ptr %u, ptr %s
  store volatile i64 %n, ptr %w
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %w = select i1 %c, ptr %s, ptr %u
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  %u = alloca i64
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %w = select i1 %c, ptr %s, ptr %u
  store volatile i64 %n, ptr %w
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- br i1 %c, label %a, label %b
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  %u = alloca i64
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %w = phi ptr [ %u, %a ], [ %s, %entry ]
  store volatile i64 %n, ptr %w
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %a = alloca ptr
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  %a = alloca ptr
  store volatile ptr %s, ptr %a
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %w = load volatile ptr, ptr %a
  store volatile i64 %n, ptr %w
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- store volatile i64 %n, ptr %s
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  %u = alloca i64
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  store volatile i64 %n, ptr %s
  call void @llvm.memcpy.p0.p0.i64(ptr %u, ptr %s, i64 8, i1 true)
  call void @g()
  %m = load volatile i64, ptr %u
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- store volatile i64 %i, ptr %s
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  %u = alloca i64
  store volatile i64 %i, ptr %s
  call void @llvm.memcpy.p0.p0.i64(ptr %u, ptr %s, i64 8, i1 true)
  call void @g()
  %m = load volatile i64, ptr %u
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- call void @llvm.memcpy.p0.p1.i64(ptr %s, ref %p, i64 8, i1 true)
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  call void @llvm.memcpy.p0.p1.i64(ptr %s, ptr addrspace(1) %p, i64 8, i1 true)
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %m = load volatile i64, ptr %s
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  store volatile i64 %i, ptr %s
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %t = trunc i64 %i to i32
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  %t = trunc i64 %i to i32
  %h = getelementptr i8, ptr %s, i64 4
  store volatile i32 %t, ptr %s
  store volatile i32 %t, ptr %h
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- store volatile i8 5, ptr %s
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  store volatile i64 %i, ptr %s
  call void @g()
  store volatile i8 5, ptr %s
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr @t, i64 4, i1 true)
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  store volatile i64 %i, ptr %s
  call void @g()
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr @t, i64 4, i1 true)
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr @t, i64 8, i1 true)
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP-NOT: "tag_mask":-281474976710649
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  store volatile i64 %i, ptr %s
  call void @g()
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr @t, i64 8, i1 true)
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- call void @get(ptr %s)
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP-NOT: "tag_mask":-281474976710649
declare void @get(ptr)
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  call void @g()
  call void @get(ptr %s)
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %s = alloca i64
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  call void @g()
  store volatile i64 %i, ptr %s
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- store volatile i64 9222246136947933191, ptr %s
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP-NOT: "tag_mask":-281474976710649
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  store volatile i64 9222246136947933191, ptr %s
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- declare void @llvm.gc.declare(ptr, ptr)
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "tag_mask":-281474976710649
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  call void @llvm.gc.declare(ptr %s, ptr null)
  store volatile i64 9222246136947933191, ptr %s
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- store volatile i64 0, ptr %s
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=2: "tag_mask":-281474976710649
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca i64
  %u = alloca i64
  call void @llvm.gc.declare(ptr %s, ptr null)
  store volatile i64 0, ptr %s
  call void @llvm.gc.declare(ptr %u, ptr null)
  store volatile i64 0, ptr %u
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %w = select i1 %c, ptr %u, ptr %s
  store volatile i64 %n, ptr %w
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
