; RUN:
; STATUS: codegen_failed
; ERROR: The assembly has
;--- probes
module asm ".pseudoprobe 1 1 0 0 f"
;--- a file of a huge number
module asm ".file 4294967295 \22x\22"
;--- a circle of aliases
module asm ".weakref a,f"
module asm ".weakref b,a"
module asm ".weakref a,b"
;--- a frame without an end
module asm ".cfi_startproc"
