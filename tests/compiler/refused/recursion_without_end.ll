; LLVM follows a circle of weak references until its stack is used up.
; RUN: opt={0,2}
; STATUS: codegen_failed
; ERROR: recursion uses up the stack
;--- by way of a macro
module asm ".macro w a,b"
module asm ".weakref \\a,\\b"
module asm ".endm"
module asm "w a,b"
module asm "w b,a"
module asm ".quad a"
