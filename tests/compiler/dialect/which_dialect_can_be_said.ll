; LLVM 19 reads stars, too.
;--- stars
; RUN: dialect=modern
; STATUS: ok
; SYMBOL: f
define void @f(i8* %p) {
  ret void
}
;--- none
; RUN: dialect=typed
; STATUS: parse_error
; ERROR:
define void @f(ptr %p) {
  ret void
}
