; As llc has it; all the functions, and what may not be inlined, are in tests/corpus/library-
; calls.ll.
; RUN: opt=2 target=x86_64-linux-gnu
; ASM=1: sqrtsd
; IR-NOT: llvm.sqrt
; RUN: opt=2 target=aarch64-linux-gnu
; ASM=1: fsqrt
; IR-NOT: llvm.sqrt
declare double @sqrt(double)
define double @f(double %x) {
  %y = call double @sqrt(double %x) memory(none)
  ret double %y
}
