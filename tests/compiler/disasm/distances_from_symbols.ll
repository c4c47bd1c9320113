; What a call of the module's own assembly goes to is a symbol and a distance from it.

;--- of x86-64
; RUN: target=x86_64-linux-gnu
; DISASM @f: callq there+0x10
; DISASM @f: callq there-0x4
; OBJDUMP @f: R_X86_64_PC32 there+0xc
define void @f() {
  call void asm sideeffect "callq there+16\0Acallq there-4", ""()
  ret void
}

;--- of AArch64
; RUN: target=aarch64-linux-gnu
; DISASM @f: bl there+0x10
; DISASM @f: bl there-0x4
; OBJDUMP @f: R_AARCH64_CALL26 there+0x10
define void @f() {
  call void asm sideeffect "bl there+16\0Abl there-4", ""()
  ret void
}
