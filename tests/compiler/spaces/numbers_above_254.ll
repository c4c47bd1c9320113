; Compressed references may be of any address space from 2 on but x86's own, and pointers of all but these are warned of
; where they are alive across a safepoint.
;--- compressed
; RUN: opt={0,1,2,3} safepoints=none spaces=255:32:3,70000:32:3:heap
; SAFEPOINT=1 @f: "space":255
; SAFEPOINT=1 @h: "space":70000
declare void @g()
define i64 @f(ptr addrspace(255) %c) gc "statepoint-example" {
  call void @g()
  %x = load i64, ptr addrspace(255) %c
  ret i64 %x
}
define i64 @h(ptr addrspace(70000) %c) gc "statepoint-example" {
  call void @g()
  %x = load i64, ptr addrspace(70000) %c
  ret i64 %x
}
;--- others
; RUN: opt=0 safepoints=none
; WARNING=1: ptr addrspace(300), is alive across the call of g
; WARNING-NOT: ptr addrspace(257)
declare void @g()
define i64 @f(ptr addrspace(300) %a, ptr addrspace(257) %b, ptr addrspace(1) %p) gc "statepoint-example" {
  call void @g()
  %x = load i64, ptr addrspace(300) %a
  %y = load i64, ptr addrspace(257) %b
  %z = load i64, ptr addrspace(1) %p
  %s = add i64 %x, %y
  %t = add i64 %s, %z
  ret i64 %t
}
