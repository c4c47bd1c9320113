; LLVM takes for granted what is in the metadata that it knows by name.
; RUN:
; STATUS: invalid_module
; ERROR: that is not what LLVM reads there
;--- libraries
!llvm.dependent-libraries = !{!0}
!0 = !{i32 4}
;--- numbers
!llvm.stats = !{!0}
!0 = !{i32 1}
;--- probes
!llvm.pseudo_probe_desc = !{!0}
!0 = !{i64 1}
