; Tags that no collector could take off.
;--- changes other bits than those of tag_mask
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: changes other bits than those of tag_mask
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %m = mul i64 %n, 3
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- changes other bits
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: changes other bits
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %m = add i64 %n, 16
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
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
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  store volatile i64 %n, ptr %s
  call void @g()
  %m = load volatile i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %s = alloca [4 x i64]
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
  %s = alloca [4 x i64]
  %e = getelementptr i64, ptr %s, i64 %i
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  store volatile i64 %n, ptr %e
  call void @g()
  %m = load volatile i64, ptr %e
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %s = alloca double
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
  %s = alloca double
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  %d = bitcast i64 %n to double
  store volatile double %d, ptr %s
  call void @g()
  %y = load volatile double, ptr %s
  %m = bitcast double %y to i64
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- %s = alloca ref
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: stored into a stack slot where no collector finds it
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %s = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %s, ptr null)
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  store i64 %n, ptr %s
  call void @g()
  %m = load i64, ptr %s
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- is taken out of a vector
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: is taken out of a vector
declare void @g()
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %v = load <2 x i64>, ptr addrspace(1) %p
  call void @g()
  %m = extractelement <2 x i64> %v, i32 1
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %m)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- derived pointer
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: derived pointer
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %d)
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- is no mask
; RUN: safepoints=none tag_mask=x
; STATUS: invalid_gcroot
; ERROR: is no mask
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
declare ptr addrspace(1) @smd.gc.from_int(i64)
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  call void @g()
  %o = call ptr addrspace(1) @smd.gc.from_int(i64 %n)
  %l = load i64, ptr addrspace(1) %o
  ret i64 %l
}
;--- statepoints
; RUN: safepoints=none opt={0,2}
; STATUS: gc_mismatch
; ERROR: statepoints
declare void @g()
declare i64 @smd.gc.to_int(ptr addrspace(1))
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p) gc "erlang" {
  %n = call i64 @smd.gc.to_int(ptr addrspace(1) %p)
  ret i64 %n
}
