; An alloca in the address space of references ends LLVM's rewrite (#80673, #87625): it is refused by name.
; RUN: opt={0,1,2,3} safepoints=none
; STATUS: codegen_failed
;--- accessed behind a call
; ERROR @main: %slot is an alloca in address space 1: the stack is in address space 0
declare ptr addrspace(1) @allocate(i64)
define i32 @main(i32 %n) gc "statepoint-example" {
  %slot = alloca [8 x i8], align 8, addrspace(1)
  store i32 %n, ptr addrspace(1) %slot
  %a = call ptr addrspace(1) @allocate(i64 4)
  %b = load i32, ptr addrspace(1) %slot
  ret i32 %b
}
;--- given to a call
; ERROR @f: %slot is an alloca in address space 1: the stack is in address space 0
declare void @g(ptr addrspace(1))
define void @f() gc "statepoint-example" {
  %slot = alloca i8, addrspace(1)
  call void @g(ptr addrspace(1) %slot)
  ret void
}
