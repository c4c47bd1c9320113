; Operands that a call has beside its arguments, of a name that no statepoint can have. LLVM asserts over some of them
; (#142531, #168808), and a statepoint loses them.
;--- a name that LLVM does not know
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR: The call of g has "foo" operands, which a statepoint cannot have
; AT: call void @g()
declare void @g()
define void @f(ptr addrspace(1) %p, i32 %arg) gc "statepoint-example" {
  call void @g() [ "foo"(i32 %arg) ]
  ret void
}
;--- the type of an indirect callee
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: cannot_rewrite
; ERROR: The call of an indirect callee has "kcfi" operands, which a statepoint cannot have
declare void @g()
define i64 @f(ptr addrspace(1) %p, ptr %callee) gc "statepoint-example" {
  call void %callee() [ "kcfi"(i32 1234) ]
  %v = load i64, ptr addrspace(1) %p
  ret i64 %v
}
;--- two states
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: invalid_module
; ERROR @f: Multiple deopt operand bundles
declare void @g()
define void @f(i32 %arg) gc "statepoint-example" {
  call void @g() [ "deopt"(i32 %arg), "deopt"(i32 1) ]
  ret void
}
