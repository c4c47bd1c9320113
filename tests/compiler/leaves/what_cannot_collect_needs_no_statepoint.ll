; What cannot collect needs no statepoint.
;--- 1
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 0
; RUN: opt={0,1,2,3} poll=call:stop elide=none
; RUN: opt={0,1,2,3} poll=call:stop elide=readnone,noreturn
; SAFEPOINTS callee=t: 1
@x = external global i64
define internal i64 @t(i64 %n) noinline {
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- ret i64 7
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 0
@x = external global i64
define internal i64 @t(i64 %n) noinline "smd-safepoints"="none"  gc "statepoint-example" {
  %c = icmp slt i64 %n, 1
  br i1 %c, label %a, label %b
a:
  ret i64 7
b:
  %m = lshr i64 %n, 1
  %r = call i64 @t(i64 %m)
  %s = mul i64 %r, %n
  ret i64 %s
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- %v = call i64 @pure(i64 %n)
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 0
; RUN: opt={0,1,2,3} poll=call:stop elide=leaf
; SAFEPOINTS callee=t: 1
@x = external global i64
declare i64 @pure(i64) memory(none)
define internal i64 @t(i64 %n) noinline {
  %v = call i64 @pure(i64 %n)
  ret i64 %v
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- call void @die()
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 0
@x = external global i64
declare void @die() cold noreturn nounwind
define internal i64 @t(i64 %n) noinline {
  %c = icmp slt i64 %n, 1
  br i1 %c, label %a, label %b
a:
  call void @die()
  unreachable
b:
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- call void asm sideeffect "", "~{memory}"()
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 0
@x = external global i64
define internal i64 @t(i64 %n) noinline {
  call void asm sideeffect "", "~{memory}"()
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- declare i64 @t(i64) memory(none)
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 0
@x = external global i64
declare i64 @t(i64) memory(none)

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- declare i64 @t(i64)
; RUN: opt={0,1,2,3} poll=call:stop leaf=other,t
; RUN: opt={0,1,2,3} poll=call:stop leaf=t elide=none
; SAFEPOINTS callee=t: 0
@x = external global i64
declare i64 @t(i64)

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
