; A pointer inside an aggregate that is alive across a safepoint would keep its old value, as LLVM
; has it. So the aggregate is split into parts: what is alive then is the pointer.
;--- %p = extractvalue { ref, i64 } %a, 0
; RUN: safepoints=none opt={0,2}
; STACKMAP=1: "base":
declare void @g()
define ptr addrspace(1) @f({ ptr addrspace(1), i64 } %a) gc "statepoint-example" {
  call void @g()
  %p = extractvalue { ptr addrspace(1), i64 } %a, 0
  ret ptr addrspace(1) %p
}
;--- %s = select i1 %c, { ref, i64 } %a, { ref, i64 } %b
; RUN: safepoints=none opt={0,2}
; STACKMAP=2: "base":
declare void @g()
declare { ptr addrspace(1), i64 } @two()
define { ptr addrspace(1), i64 } @f(i1 %c, { ptr addrspace(1), i64 } %b) gc "statepoint-example" {
  %a = call { ptr addrspace(1), i64 } @two()
  %s = select i1 %c, { ptr addrspace(1), i64 } %a, { ptr addrspace(1), i64 } %b
  call void @g()
  ret { ptr addrspace(1), i64 } %s
}
;--- %a = invoke { ref, i64 } @two() to label %on unwind label %off
; RUN: safepoints=none opt={0,2}
; STACKMAP=1: "base":
declare void @g()
declare { ptr addrspace(1), i64 } @two()
declare i32 @personality(...)
define { ptr addrspace(1), i64 } @f() gc "statepoint-example" personality ptr @personality {
  %a = invoke { ptr addrspace(1), i64 } @two() to label %on unwind label %off
on:
  invoke void @g() to label %out unwind label %off
out:
  ret { ptr addrspace(1), i64 } %a
off:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
;--- ret [2 x { i8, ref }] %a
; RUN: safepoints=none opt={0,2}
; STACKMAP=2: "base":
declare void @g()
define [2 x { i8, ptr addrspace(1) }] @f([2 x { i8, ptr addrspace(1) }] %a) gc "statepoint-example" {
  call void @g()
  ret [2 x { i8, ptr addrspace(1) }] %a
}
;--- %d = getelementptr i8, ref %p, i64 8
; RUN: safepoints=none opt=0
; IR=3: %p
declare void @g()
define { ptr addrspace(1), i64 } @f(ptr addrspace(1) %p, i1 %c) gc "statepoint-example" {
entry:
  %d = getelementptr i8, ptr addrspace(1) %p, i64 8
  %a = insertvalue { ptr addrspace(1), i64 } undef, ptr addrspace(1) %d, 0
  br i1 %c, label %x, label %y
x:
  br label %y
y:
  %b = phi { ptr addrspace(1), i64 } [ %a, %entry ], [ zeroinitializer, %x ]
  call void @g()
  ret { ptr addrspace(1), i64 } %b
}
;--- call void @take({ ref, i64 } %a)
; RUN: safepoints=none opt=0
; SAFEPOINTS reason=call: 2
declare { ptr addrspace(1), i64 } @two()
declare void @take({ ptr addrspace(1), i64 })
define void @f() gc "statepoint-example" {
  %a = call { ptr addrspace(1), i64 } @two()
  call void @take({ ptr addrspace(1), i64 } %a)
  ret void
}
