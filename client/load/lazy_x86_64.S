/* lazy_x86_64.S - a call that is made for the first time: keeps every register that can hold an argument, asks
 * lazy_resolve where to go, and goes there. r11 has the slot; it is nobody's argument. */
#if defined(__x86_64__)
#include "registers.h"

    .text
    .globl lazy_enter
    .hidden lazy_enter
    .type lazy_enter, @function
    .p2align 4
lazy_enter:
    .cfi_startproc
    endbr64
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq %rax
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %r8
    pushq %r9
    pushq %r10
    keep_state
    movq %r11, %rdi
    callq lazy_resolve
    movq %rax, %r11
    restore_state
    leaq -64(%rbp), %rsp
    popq %r10
    popq %r9
    popq %r8
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %rax
    popq %rbp
    .cfi_def_cfa %rsp, 8
    .cfi_restore %rbp
    jmpq *%r11
    .cfi_endproc
    .size lazy_enter, . - lazy_enter

#endif
    .section .note.GNU-stack, "", %progbits
