; gc_registers=auto: references stay in registers where a walk finds them, and an answer says why they do not.
;--- nothing stands in the way
; RUN: gc_registers=auto safepoints=none opt={1,2,3,s,z}
; STACKMAP: "kind":"register"
; META: "gc_registers":"auto"
; META: -max-registers-for-gc-values=32
; WARNING-NOT:
; SAME-AS: gc_registers=32
; RUN: gc_registers=auto safepoints=none emit=obj,remarks
; REMARKS-NOT: gc-registers
; RUN: gc_registers=auto safepoints=none opt=0 emit=obj,remarks
; STACKMAP-NOT: "kind":"register"
; WARNING-NOT:
; REMARKS=1: register allocator
; SAME-AS: gc_registers=0
; RUN: gc_registers=auto safepoints=none stackmap_format=gcmap emit=obj,remarks
; REMARKS=1: no place for registers
; RUN: gc_registers=auto safepoints=none unwind=module emit=obj,remarks
; STACKMAP-NOT: "kind":"register"
; REMARKS=1: no unwind table
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
;--- each function has an unwind table
; RUN: gc_registers=auto safepoints=none unwind=module emit=obj,remarks
; STACKMAP: "kind":"register"
; REMARKS-NOT: gc-registers
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) uwtable gc "statepoint-example" {
  call void @g()
  ret ptr addrspace(1) %p
}
;--- a callee keeps registers that a walk may not know
; RUN: gc_registers=auto safepoints=none gc=statepoint-example emit=obj,remarks
; STACKMAP-NOT: "kind":"register"
; WARNING-NOT:
; REMARKS=1: "function":"h","message":"gc_registers is 0: by the calling convention
declare preserve_mostcc void @k()
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p) {
  call void @g()
  ret ptr addrspace(1) %p
}
define void @h() {
  call preserve_mostcc void @k()
  ret void
}
;--- native code
; RUN: gc_registers=auto safepoints=none emit=obj,remarks transition=flag
; STACKMAP-NOT: "kind":"register"
; REMARKS=1: GC transitions
declare void @g()
define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %t) gc "statepoint-example" {
  call void @g() [ "gc-transition"(ptr %t) ]
  ret ptr addrspace(1) %p
}
;--- emitted by smd
; RUN: gc_registers=auto safepoints=none opt={0,2}
; SAME-AS: ir
; RESULT: 10 = 55
declare ptr addrspace(1) @allocate(i64, i64)
declare void @collect()
define i64 @program(i64 %n) gc "statepoint-example" {
entry:
  br label %make
make:
  %i = phi i64 [ 1, %entry ], [ %next, %make ]
  %head = phi ptr addrspace(1) [ null, %entry ], [ %object, %make ]
  %object = call ptr addrspace(1) @allocate(i64 16, i64 1)
  store ptr addrspace(1) %head, ptr addrspace(1) %object
  %value = getelementptr i8, ptr addrspace(1) %object, i64 8
  store i64 %i, ptr addrspace(1) %value
  %next = add i64 %i, 1
  %more = icmp sle i64 %next, %n
  br i1 %more, label %make, label %read
read:
  %at = phi ptr addrspace(1) [ %object, %make ], [ %link, %read ]
  %sum = phi i64 [ 0, %make ], [ %total, %read ]
  %where = getelementptr i8, ptr addrspace(1) %at, i64 8
  %v = load i64, ptr addrspace(1) %where
  %total = add i64 %sum, %v
  %link = load ptr addrspace(1), ptr addrspace(1) %at
  %last = icmp eq ptr addrspace(1) %link, null
  br i1 %last, label %out, label %read
out:
  ret i64 %total
}
