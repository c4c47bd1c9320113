; What cannot be right is refused.
;--- makes an integer
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: makes an integer
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %n = ptrtoint ptr addrspace(2) %p to i64
  store i64 %n, ptr addrspace(1) %o
  ret ptr addrspace(2) %p
}
;--- %n = trunc i64 %i to i32
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: makes an integer
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %n = trunc i64 %i to i32
  %v = inttoptr i32 %n to ptr addrspace(2)
  ret ptr addrspace(2) %v
}
;--- reads a compressed reference as something else
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: reads a compressed reference as something else
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %s = alloca ptr addrspace(2)
  store ptr addrspace(2) %p, ptr %s
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %n = load i32, ptr %s
  call void @g()
  store i32 %n, ptr addrspace(1) %o
  ret ptr addrspace(2) %p
}
;--- that is a constant and not null
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: that is a constant and not null
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  ret ptr addrspace(2) inttoptr (i32 64 to ptr addrspace(2))
}
;--- to and from address space 1
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: to and from address space 1
declare void @out(ptr)
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %v = addrspacecast ptr addrspace(2) %p to ptr
  call void @out(ptr %v)
  ret ptr addrspace(2) %p
}
;--- orders compressed references
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: orders compressed references
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %e = icmp ult ptr addrspace(2) %p, %q
  %v = select i1 %e, ptr addrspace(2) %p, ptr addrspace(2) %q
  ret ptr addrspace(2) %v
}
;--- derives a compressed
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: derives a compressed
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %v = getelementptr i8, ptr addrspace(2) %p, i64 8
  ret ptr addrspace(2) %v
}
;--- is derived from another pointer
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: is derived from another pointer
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  %v = getelementptr i8, ptr addrspace(1) %o, i64 8
  %w = addrspacecast ptr addrspace(1) %v to ptr addrspace(2)
  ret ptr addrspace(2) %w
}
;--- in an operand bundle
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: in an operand bundle
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  call void @g() [ "deopt"(ptr addrspace(2) %p) ]
  ret ptr addrspace(2) %p
}
;--- call void @g() [ "gc-live"(ptr addrspace(2) %p) ]
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: in an operand bundle
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  call void @g() [ "gc-live"(ptr addrspace(2) %p) ]
  ret ptr addrspace(2) %p
}
;--- knows no compressed references
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: knows no compressed references
declare void @llvm.memset.p2.i64(ptr addrspace(2), i8, i64, i1)
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  call void @llvm.memset.p2.i64(ptr addrspace(2) %p, i8 0, i64 8, i1 false)
  ret ptr addrspace(2) %p
}
;--- to assembly
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: to assembly
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  call void asm "", "r"(ptr addrspace(2) %p)
  ret ptr addrspace(2) %p
}
;--- lies in an address space
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: cannot_rewrite
; ERROR: lies in an address space
@x = addrspace(2) global i64 0
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  ret ptr addrspace(2) %p
}
;--- need a strategy with statepoints
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: gc_mismatch
; ERROR: need a strategy with statepoints
declare void @g()
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "erlang" personality ptr @__gcc_personality_v0 {
entry:
  call void @g()
  ret ptr addrspace(2) %p
}
;--- by the option spaces they have 4
; RUN: safepoints=none spaces=2:32:0:heap,3:32:3 opt={0,2}
; STATUS: invalid_module
; ERROR: by the option spaces they have 4
target datalayout = "e-m:e-p2:64:64-i64:64-f80:128-n8:16:32:64-S128"
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  ret ptr addrspace(2) %p
}
;--- unless they are compressed references
; RUN: opt=2
; STATUS: invalid_module
; ERROR: unless they are compressed references
target datalayout = "e-m:e-p2:32:32-i64:64-f80:128-n8:16:32:64-S128"
declare i32 @__gcc_personality_v0(...)
define ptr addrspace(2) @f(ptr addrspace(2) %p, ptr addrspace(2) %q, ptr addrspace(1) %o, i64 %i, i1 %c) gc "statepoint-example" personality ptr @__gcc_personality_v0 {
entry:
  ret ptr addrspace(2) %p
}
