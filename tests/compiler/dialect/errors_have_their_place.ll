; Lines and columns are those of the text as it was posted, whatever was put in before them.
;--- line 2
; RUN: safepoints=none
; STATUS: parse_error
; ERROR:
; AT=28: %a = load i32* %p, align oops
define i32 @f(i32* %p) {
  %a = load i32* %p, align oops
  ret i32 %a
}
;--- line 1
; RUN: safepoints=none
; STATUS: parse_error
; ERROR:
; AT=26: define i32 @f(i32* %p) { oops }
define i32 @f(i32* %p) { oops }
