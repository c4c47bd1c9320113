; No raw pointer is used where its object may move: behind the unpin, through memory, or as a number.
; RUN: opt={0,2} safepoints=none
; STATUS: safepoint_violation
; ERROR: unpin it after the last use
declare void @g()
declare void @out(ptr)
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)

;--- itself
define i64 @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  call void @smd.gc.unpin(ptr %r)
  call void @g()
  %v = load i64, ptr %r
  ret i64 %v
}

;--- what is derived from it
define i64 @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  %a = getelementptr i8, ptr %r, i64 8
  call void @smd.gc.unpin(ptr %r)
  %v = load i64, ptr %a
  ret i64 %v
}

;--- out of a slot
define i64 @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %s = alloca ptr
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  store ptr %r, ptr %s
  call void @smd.gc.unpin(ptr %r)
  call void @g()
  %a = load ptr, ptr %s
  %v = load i64, ptr %a
  ret i64 %v
}

;--- out of an array
define i64 @f(ptr addrspace(1) %p, i64 %i) gc "statepoint-example" {
  %s = alloca [2 x ptr]
  %k = getelementptr ptr, ptr %s, i64 %i
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  store ptr %r, ptr %k
  call void @smd.gc.unpin(ptr %r)
  call void @g()
  %a = load ptr, ptr %k
  %v = load i64, ptr %a
  ret i64 %v
}

;--- as a number
define i64 @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  %n = ptrtoint ptr %r to i64
  %m = add i64 %n, 8
  call void @smd.gc.unpin(ptr %r)
  call void @out(ptr null)
  ret i64 %m
}

;--- as a result
define ptr @f(ptr addrspace(1) %p) gc "statepoint-example" {
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  ret ptr %r
}
