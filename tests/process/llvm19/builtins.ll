; llc turns a call of sqrt into an instruction, by a lookup that LLVM's C API cannot give code generation. When code
; generation no longer looks up, llc leaves the call.
; COMMAND: llc-19 -O2 -mtriple=x86_64-linux-gnu %s -o -
; FAULT: sqrtsd
declare double @sqrt(double) nounwind memory(none)
define double @f(double %v) {
  %r = call double @sqrt(double %v)
  ret double %r
}
