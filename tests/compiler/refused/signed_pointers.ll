; LLVM makes null of such a constant where it copies a module.
; RUN: opt={0,2}
; STATUS: codegen_failed
; ERROR: is a signed pointer
;--- a variable
@x = global ptr ptrauth (ptr @f, i32 0)
declare void @f()
;--- an operand
declare void @f()
define ptr @g() {
  ret ptr ptrauth (ptr @f, i32 0)
}
