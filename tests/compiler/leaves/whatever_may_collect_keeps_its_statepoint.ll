; Whatever may collect keeps its statepoint.
;--- declare i64 @t(i64)
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
declare i64 @t(i64)

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- declare i64 @t(i64) nounwind memory(read)
; RUN: opt={0,1,2,3} poll=call:stop leaf=ta,at
; SAFEPOINTS callee=t: 1
@x = external global i64
declare i64 @t(i64) nounwind memory(read)

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- declare i64 @t(i64) memory(none)  gc "statepoint-example"
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
declare i64 @t(i64) memory(none)  gc "statepoint-example" 

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- %v = call i64 @reads(i64 %n)
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
declare i64 @reads(i64) memory(read)
define internal i64 @t(i64 %n) noinline {
  %v = call i64 @reads(i64 %n)
  ret i64 %v
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- call void @g()
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
declare void @g()
define internal i64 @t(i64 %n) noinline {
  call void @g()
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- %v = musttail call i64 @m(i64 %n)
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
declare i64 @m(i64)
define internal i64 @t(i64 %n) noinline "smd-safepoints"="none"  gc "statepoint-example" {
  %v = musttail call i64 @m(i64 %n)
  ret i64 %v
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- %f = load ptr, ptr @table
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
@table = external global ptr
define internal i64 @t(i64 %n) noinline {
  %f = load ptr, ptr @table
  call void %f()
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- define weak i64 @t(i64 %n) noinline {
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
define weak i64 @t(i64 %n) noinline {
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- define linkonce_odr i64 @t(i64 %n) noinline {
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
define linkonce_odr i64 @t(i64 %n) noinline {
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- define available_externally i64 @t(i64 %n) noinline {
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
define available_externally i64 @t(i64 %n) noinline {
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- @t = weak alias i64 (i64), ptr @u
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
@t = weak alias i64 (i64), ptr @u
define i64 @u(i64 %n) noinline {
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- define i64 @t(i64 %n) noinline {
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
define i64 @t(i64 %n) noinline {
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"SemanticInterposition", i32 1}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- call void asm sideeffect "nop", ""()
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
define internal i64 @t(i64 %n) noinline {
  call void asm sideeffect "nop", ""()
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- call void asm sideeffect "", ""()
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
define internal i64 @t(i64 %n) naked noinline {
  call void asm sideeffect "", ""()
  unreachable
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- %v = load volatile i8, ptr @page
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
@page = external global i8
define internal i64 @t(i64 %n) noinline {
  %v = load volatile i8, ptr @page
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- call void @raise()
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
declare void @raise() cold noreturn
define internal i64 @t(i64 %n) noinline {
  %c = icmp slt i64 %n, 1
  br i1 %c, label %a, label %b
a:
  call void @raise()
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
;--- call void @loop()
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
declare void @loop() noreturn nounwind
define internal i64 @t(i64 %n) noinline {
  %c = icmp slt i64 %n, 1
  br i1 %c, label %a, label %b
a:
  call void @loop()
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
;--- call void @pure.void() [ "deopt"(i32 1) ]
; RUN: poll=call:stop opt=0
; SAFEPOINTS callee=t: 1
@x = external global i64
define internal i64 @t(i64 %n) noinline {
  call void @pure.void() [ "deopt"(i32 1) ]
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}
declare void @pure.void() memory(none)

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- call void @h2() "statepoint-num-patch-bytes"="8"
; RUN: poll=call:stop opt=0
; SAFEPOINTS callee=t: 1
@x = external global i64
define internal i64 @t(i64 %n) noinline "smd-safepoints"="none"  gc "statepoint-example" {
  call void @h2() "statepoint-num-patch-bytes"="8"
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}
define internal void @h2() noinline {
  ret void
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- %k = call token (i64, i32, ptr, i32, i32
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
define internal i64 @t(i64 %n) noinline "smd-safepoints"="none"  gc "statepoint-example" {
  %k = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 1, i32 0, ptr elementtype(void ()) @h2, i32 0, i32 0, i32 0, i32 0)
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}
define internal void @h2() noinline {
  ret void
}
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- define internal i64 @t(i64 %n) noinline
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
define internal i64 @t(i64 %n) noinline "smd-safepoints"="entry"  gc "statepoint-example" {
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- define internal i64 @t(i64 %n) noinline
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
define internal i64 @t(i64 %n) noinline "smd-safepoints"="return"  gc "statepoint-example" {
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- br label %l
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 1
@x = external global i64
define internal i64 @t(i64 %n) noinline "smd-safepoints"="backedge"  gc "statepoint-example" {
  br label %l
l:
  %i = phi i64 [ 0, %0 ], [ %j, %l ]
  %j = add i64 %i, 1
  %v = load atomic i64, ptr @x monotonic, align 8
  %c = icmp slt i64 %v, %n
  br i1 %c, label %l, label %d
d:
  ret i64 %j
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
;--- %m = lshr i64 %n, 1
; RUN: opt={0,1,2,3} poll=call:stop
; SAFEPOINTS callee=t: 2
@x = external global i64
declare void @g()
define internal i64 @t(i64 %n) noinline "smd-safepoints"="none"  gc "statepoint-example" {
  %c = icmp slt i64 %n, 1
  br i1 %c, label %a, label %b
a:
  %x = load atomic i64, ptr @x monotonic, align 8
  ret i64 %x
b:
  %m = lshr i64 %n, 1
  %r = call i64 @u(i64 %m)
  %s = mul i64 %r, %n
  ret i64 %s
}
define internal i64 @u(i64 %n) noinline "smd-safepoints"="none"  gc "statepoint-example" {
  %r = call i64 @t(i64 %n)
  call void @g()
  ret i64 %r
}

define ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) "smd-safepoints"="none"  gc "statepoint-example" {
  %v = call i64 @t(i64 %n)
  store i64 %v, ptr addrspace(1) %p
  ret ptr addrspace(1) %p
}
