; Nothing is compiled then, and nothing checked.
; RUN: emit=modern
; MODERN: load ptr, ptr %p
; STACKMAP-NOT: {
define i8* @f(i8** %p) gc "none such" {
  %v = load i8*, i8** %p
  ret i8* %v
}
