; A pin holds from smd.gc.pin to smd.gc.unpin, or to the function's end: at the safepoints between, its object is listed
; as pinned.
; RUN: opt={0,1,2,3} stackmap_format={llvm,compact} safepoints=none
; SAFEPOINT=2 @unpinned: "pinned":true
; SAFEPOINT=2 @unpinned callee=between: "pinned":true
; ROOTS @unpinned: 1 0 0 0
; REGIONS @unpinned: 0 1 1 0
; SAFEPOINT=1 @to_the_end: "pinned":true
; REGIONS @overlapping: 2 1 0
; SAFEPOINT=3 @overlapping: "pinned":true
; SAFEPOINT=1 @in_a_loop: "pinned":true
; SAFEPOINT=1 @in_a_loop #1: "pinned":true
declare void @g()
declare void @between()
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @smd.gc.unpin(ptr)
@t = constant i64 1

define i64 @unpinned(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  call void @between()
  call void @between()
  %v = load i64, ptr %r
  call void @smd.gc.unpin(ptr %r)
  call void @g()
  ret i64 %v
}

define i64 @to_the_end(ptr addrspace(1) %p, i64 %i) gc "statepoint-example" {
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  call void @g()
  ret i64 %i
}

define i64 @overlapping(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i) gc "statepoint-example" {
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  %s = call ptr @smd.gc.pin(ptr addrspace(1) %q)
  call void @g()
  call void @smd.gc.unpin(ptr %r)
  call void @g()
  call void @smd.gc.unpin(ptr %s)
  call void @g()
  ret i64 %i
}

define i64 @in_a_loop(ptr addrspace(1) %p, i64 %i) gc "statepoint-example" {
entry:
  br label %loop
loop:
  call void @g()
  %r = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  call void @g()
  call void @smd.gc.unpin(ptr %r)
  %m = load volatile i1, ptr @t
  br i1 %m, label %loop, label %out
out:
  ret i64 %i
}
