; Modules that define nothing.
; RUN:
;--- a declaration
; WARNING=1:
; WARNING: defines nothing
declare void @f()
;--- a variable
; WARNING-NOT:
@x = global i32 1
;--- assembly
; WARNING-NOT:
module asm ".globl x"
;--- a comment that is cut short
; WARNING: ends inside a comment
; A module that
; defines no