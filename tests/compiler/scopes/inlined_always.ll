; Scopes and pins of a function that is inlined always are those of the function that it is inlined into, and end where
; it returned.
;--- a slot, called and invoked, and in a loop
; RUN: opt={0,1,2,3} safepoints=none
; SYMBOL-NOT: in
; SAFEPOINT=2 @f callee=g: "fields":[{"offset":0
; REGIONS @f: 1 0 1 0
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
declare void @h()
declare i32 @personality(...)
define internal void @in(ptr addrspace(1) %p) alwaysinline gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr inttoptr (i64 7 to ptr))
  store ptr addrspace(1) %p, ptr %a
  call void @g()
  ret void
}
define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) gc "statepoint-example" personality ptr @personality {
  call void @in(ptr addrspace(1) %p)
  call void @h()
  invoke void @in(ptr addrspace(1) %q) to label %on unwind label %pad
on:
  call void @h()
  ret void
pad:
  %l = landingpad token cleanup
  ret void
}
;--- a pin
; RUN: opt={0,1,2,3} safepoints=none
; SAFEPOINT=1 @f callee=g: "pinned":true
; SAFEPOINT-NOT @f callee=h: "pinned":true
declare ptr @smd.gc.pin(ptr addrspace(1))
declare void @g(ptr)
declare void @h()
define internal void @in(ptr addrspace(1) %p) alwaysinline gc "statepoint-example" {
  %raw = call ptr @smd.gc.pin(ptr addrspace(1) %p)
  call void @g(ptr %raw)
  ret void
}
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @in(ptr addrspace(1) %p)
  call void @h()
  ret ptr addrspace(1) %p
}
;--- one in another, that calls itself, and that is called where slots are listed
; RUN: opt={0,2} safepoints=none
; REGIONS @f callee=g: 2
; REGIONS @own callee=in: 1
declare void @llvm.gc.declare(ptr, ptr)
declare void @g()
define internal void @in(ptr addrspace(1) %p) alwaysinline gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr inttoptr (i64 7 to ptr))
  store ptr addrspace(1) %p, ptr %a
  call void @g()
  ret void
}
define internal void @outer(ptr addrspace(1) %p) alwaysinline gc "statepoint-example" {
  %b = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %b, ptr inttoptr (i64 7 to ptr))
  store ptr addrspace(1) %p, ptr %b
  call void @in(ptr addrspace(1) %p)
  ret void
}
define void @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @outer(ptr addrspace(1) %p)
  ret void
}
define void @own(ptr addrspace(1) %p) gc "statepoint-example" {
  %c = alloca ptr addrspace(1)
  store ptr addrspace(1) %p, ptr %c
  call void @in(ptr addrspace(1) null) [ "gc-live"(ptr %c) ]
  ret void
}
;--- under the collector, in a loop
; RUN: opt={0,1,2,3} safepoints=none
; RESULT: 10 = 55
declare void @llvm.gc.declare(ptr, ptr)
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define internal i64 @in(i64 %n) alwaysinline gc "statepoint-example" {
  %a = alloca ptr addrspace(1)
  call void @llvm.gc.declare(ptr %a, ptr inttoptr (i64 7 to ptr))
  call void @collect()
  %o = call ptr addrspace(1) @allocate(i64 8, i64 0)
  store i64 %n, ptr addrspace(1) %o
  store ptr addrspace(1) %o, ptr %a
  call void @collect()
  %p = load ptr addrspace(1), ptr %a
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %v = call i64 @in(i64 %i)
  call void @collect()
  %t = add i64 %s, %v
  %j = sub i64 %i, 1
  %over = icmp eq i64 %j, 0
  br i1 %over, label %end, label %loop
end:
  ret i64 %t
}
