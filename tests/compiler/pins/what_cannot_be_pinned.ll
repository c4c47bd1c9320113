; What is pinned is an object, on all ways to where the pin holds, in a function with statepoints.
; RUN: opt={0,2} safepoints=none
declare void @g()
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)

;--- an address inside an object
; STATUS: invalid_gcroot
; ERROR: what is pinned is an object
define i64 @f(ptr addrspace(1) %p, i64 %i) gc "statepoint-example" {
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %d)
  call void @g()
  ret i64 %i
}

;--- an unpin of something else
; STATUS: invalid_gcroot
; ERROR: takes what a call of smd.gc.pin
define i64 @f(i64 %i) gc "statepoint-example" {
  call void @smd.gc.unpin(ptr null)
  ret i64 %i
}

;--- on one of two ways
; STATUS: invalid_gcroot
; ERROR: is reached from
define i64 @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  br i1 %c, label %a, label %b
a:
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  br label %b
b:
  call void @g()
  ret i64 %i
}

;--- again in each turn of a loop
; STATUS: invalid_gcroot
; ERROR: declared
define i64 @f(ptr addrspace(1) %p, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  call void @g()
  br i1 %c, label %loop, label %out
out:
  ret i64 %i
}

;--- in a function of another strategy
; STATUS: gc_mismatch
; ERROR: statepoints
define void @f(ptr addrspace(1) %p) gc "erlang" {
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  ret void
}
