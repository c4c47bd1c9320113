; Bytes of the module's own in the sections of tables would make those unreadable; so would symbols of their names.
; RUN: safepoints=none
; STATUS: codegen_failed
; ERROR: the compiler's own
;--- a section
@x = global i8 1, section ".llvm_faultmaps"
;--- a section of ELF
@x = global i8 1, section ".symtab"
;--- a function's section
define void @f() section ".smd_maps" {
  ret void
}
;--- assembly
module asm ".section .llvm_stackmaps,\22a\22"
module asm ".byte 9"
;--- assembly of a function
define void @f() {
  call void asm sideeffect ".pushsection .llvm_stackmaps; .byte 9; .popsection", ""()
  ret void
}
;--- a symbol
define void @__LLVM_StackMaps() {
  ret void
}
