/* tls_x86_64.S - descriptors of thread-local variables (tls.h): called with the descriptor's address in rax; give the
 * offset from the thread pointer there, and keep every other register. */
#if defined(__x86_64__)
#include "registers.h"

#define ARGUMENT 8  /* of the descriptor */
#define OFFSET   8  /* of struct tls_index, after the module */
#define ID       8  /* of struct tls_module, after the slot */
#define ENTRY    24 /* bytes of struct tls_entry; in the table after the count: id, data */

    .text
    .globl tls_static_descriptor
    .hidden tls_static_descriptor
    .type tls_static_descriptor, @function
    .p2align 4
tls_static_descriptor:
    .cfi_startproc
    endbr64
    movq ARGUMENT(%rax), %rax
    ret
    .cfi_endproc
    .size tls_static_descriptor, . - tls_static_descriptor

    .globl tls_descriptor
    .hidden tls_descriptor
    .type tls_descriptor, @function
    .p2align 4
tls_descriptor:
    .cfi_startproc
    endbr64
    movq ARGUMENT(%rax), %rax
    pushq %rcx
    .cfi_adjust_cfa_offset 8
    pushq %rdx
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    movq (%rax), %rcx
    movq tls_table@gottpoff(%rip), %rdx
    movq %fs:(%rdx), %rdx
    movq (%rcx), %rsi
    cmpq (%rdx), %rsi
    jae 1f
    imulq $ENTRY, %rsi, %rsi
    addq %rsi, %rdx
    movq ID(%rcx), %rsi
    cmpq 8(%rdx), %rsi
    jne 1f
    movq 16(%rdx), %rdx
    addq OFFSET(%rax), %rdx
    movq %rdx, %rax
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdx
    .cfi_adjust_cfa_offset -8
    popq %rcx
    .cfi_adjust_cfa_offset -8
    subq %fs:0, %rax
    ret

    /* The first time in this thread: tls_address makes the block. */
1:  .cfi_adjust_cfa_offset 24
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %r8
    .cfi_adjust_cfa_offset 8
    pushq %r9
    .cfi_adjust_cfa_offset 8
    pushq %r10
    .cfi_adjust_cfa_offset 8
    pushq %r11
    .cfi_adjust_cfa_offset 8
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbx, 0
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbp, 0
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movq %rax, %rdi
    keep_state
    callq tls_address
    movq %rax, %rbx
    restore_state
    movq %rbx, %rax
    subq %fs:0, %rax
    movq %rbp, %rsp
    .cfi_def_cfa_register %rsp
    popq %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore %rbp
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore %rbx
    popq %r11
    .cfi_adjust_cfa_offset -8
    popq %r10
    .cfi_adjust_cfa_offset -8
    popq %r9
    .cfi_adjust_cfa_offset -8
    popq %r8
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdx
    .cfi_adjust_cfa_offset -8
    popq %rcx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size tls_descriptor, . - tls_descriptor

#endif
    .section .note.GNU-stack, "", %progbits
