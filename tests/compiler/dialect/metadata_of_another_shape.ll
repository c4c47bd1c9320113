; LLVM 14 takes for granted what is in the metadata that it knows by name, too.
; RUN: dialect=typed
; STATUS: parse_error
; ERROR: that is not what LLVM reads there
;--- libraries
!llvm.dependent-libraries = !{!0}
!0 = !{i32 4}
;--- options of a linker
!llvm.linker.options = !{!0}
!0 = !{i32 4}
