; LLVM 14 ends its process over this one.
; RUN: safepoints=none
; STATUS: parse_error
; ERROR: number
target datalayout = "e-p:1x"
define i8* @f(i8* %p) {
  ret i8* %p
}
