; Types of values.
;--- 1
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: "type":7
declare void @g()
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @g() [ "gc-type"(ptr addrspace(1) %p, i64 7) ]
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- call void @g() [ "gc-type"(ref %p, ptr @t, ref %q, ptr @own) ]
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=2: "type":{"symbol":"t","addend":0}
declare void @g()
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @g() [ "gc-type"(ptr addrspace(1) %p, ptr @t, ptr addrspace(1) %q, ptr @own) ]
  call void @g()
  %v = load i64, ptr addrspace(1) %p
  %w = load i64, ptr addrspace(1) %q
  %s = add i64 %v, %w
  ret i64 %s
}
;--- call void @g() [ "gc-type"(ref %p, ptr @own) ]
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP=1: {"symbol":"own","addend":0}
declare void @g()
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @g() [ "gc-type"(ptr addrspace(1) %p, ptr @own) ]
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- call void @g() [ "gc-type"(ref %p, i64 7) ]
; RUN: safepoints=none opt={0,1,2,3}
; RUN: safepoints=none opt={0,1,2,3} stackmap_format=compact
; STACKMAP-NOT: "type"
declare void @g()
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @g() [ "gc-type"(ptr addrspace(1) %p, i64 7) ]
  ret i64 %i
}
;--- another type
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: has two types
declare void @g()
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @g() [ "gc-type"(ptr addrspace(1) %p, i64 7) ]
  call void @g() [ "gc-type"(ptr addrspace(1) %p, i64 8) ]
  ret i64 %i
}
;--- followed by its type
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: followed by its type
declare void @g()
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @g() [ "gc-type"(ptr addrspace(1) %p) ]
  ret i64 %i
}
;--- a number or the address of a global
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: a number or the address of a global
declare void @g()
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  call void @g() [ "gc-type"(ptr addrspace(1) %p, i64 %i) ]
  ret i64 %i
}
;--- derived
; RUN: safepoints=none opt={0,2}
; STATUS: invalid_gcroot
; ERROR: derived
declare void @g()
@t = constant i64 1
@own = internal constant i64 2
define i64 @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %i, i1 %c) gc "statepoint-example" {
entry:
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  call void @g() [ "gc-type"(ptr addrspace(1) %d, i64 7) ]
  %v = load i64, ptr addrspace(1) %d
  ret i64 %v
}
