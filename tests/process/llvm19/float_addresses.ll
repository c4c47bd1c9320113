; An address that comes out of a double is taken from a vector register.
; COMMAND: llc-19 -O0 -mtriple=x86_64-linux-gnu %s -o -
; FAULT: \(%xmm0\), %rax
define i64 @f(double %d) {
  %i = bitcast double %d to i64
  %p = inttoptr i64 %i to ptr
  %v = load i64, ptr %p
  ret i64 %v
}
