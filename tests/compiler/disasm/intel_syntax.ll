; In Intel's syntax the target is first, and what a linker completes is a symbol, too.

;--- of x86-64
; RUN: target=x86_64-linux-gnu opt=0 emit=obj,intel
; DISASM @f: mov rdi, qword ptr [rsp + 8]
; DISASM @f: call there
define void @f(i64 %a, i64 %b) {
  call void asm sideeffect inteldialect "mov rdi, qword ptr [rsp + 8]", "~{rdi}"()
  call void @there()
  ret void
}
declare void @there()

;--- a jump has its function
; RUN: target=x86_64-linux-gnu opt=0 emit=obj,intel
; DISASM @f: <f+0x
define void @f(i1 %x) {
  br i1 %x, label %a, label %b
a:
  call void @there()
  br label %b
b:
  ret void
}
declare void @there()

;--- AArch64 has one syntax
; RUN: target=aarch64-linux-gnu opt=0 emit=obj,intel
; DISASM @f: add v0.4s, v0.4s, v1.4s
define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b) {
  %c = add <4 x i32> %a, %b
  ret <4 x i32> %c
}
