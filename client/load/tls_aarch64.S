/* tls_aarch64.S - descriptors of thread-local variables (tls.h): called with the descriptor's address in x0; give the
 * offset from the thread pointer there, and keep every other register but x1 and the flags. */
#if defined(__aarch64__)
#include "registers.h"

#define ARGUMENT 8  /* of the descriptor */
#define OFFSET   8  /* of struct tls_index, after the module */
#define ENTRY    24 /* bytes of struct tls_entry; in the table after the count: id, data */
#define FRAME    672

    .text
    .globl tls_static_descriptor
    .hidden tls_static_descriptor
    .type tls_static_descriptor, %function
    .p2align 4
tls_static_descriptor:
    .cfi_startproc
    hint #34 /* bti c */
    ldr x0, [x0, #ARGUMENT]
    ret
    .cfi_endproc
    .size tls_static_descriptor, . - tls_static_descriptor

    .globl tls_descriptor
    .hidden tls_descriptor
    .type tls_descriptor, %function
    .p2align 4
tls_descriptor:
    .cfi_startproc
    hint #34 /* bti c */
    stp x2, x3, [sp, #-32]!
    .cfi_adjust_cfa_offset 32
    stp x4, x5, [sp, #16]
    ldr x1, [x0, #ARGUMENT]
    ldr x2, [x1]
    ldp x2, x3, [x2] /* slot, id */
    mrs x0, tpidr_el0
    adrp x4, :gottprel:tls_table
    ldr x4, [x4, :gottprel_lo12:tls_table]
    ldr x4, [x0, x4]
    ldr x5, [x4]
    cmp x2, x5
    b.hs 1f
    mov x5, #ENTRY
    madd x4, x2, x5, x4
    ldr x5, [x4, #8]
    cmp x5, x3
    b.ne 1f
    ldr x4, [x4, #16]
    ldr x5, [x1, #OFFSET]
    add x4, x4, x5
    sub x0, x4, x0
    ldp x4, x5, [sp, #16]
    ldp x2, x3, [sp], #32
    .cfi_adjust_cfa_offset -32
    ret

    /* The first time in this thread: tls_address makes the block. */
1:  ldp x4, x5, [sp, #16]
    ldp x2, x3, [sp], #32
    sub sp, sp, #FRAME
    .cfi_adjust_cfa_offset FRAME
    stp x29, x30, [sp]
    .cfi_offset x29, -FRAME
    .cfi_offset x30, 8 - FRAME
    mov x29, sp
    stp x2, x3, [sp, #16]
    stp x4, x5, [sp, #32]
    stp x6, x7, [sp, #48]
    stp x8, x9, [sp, #64]
    stp x10, x11, [sp, #80]
    stp x12, x13, [sp, #96]
    stp x14, x15, [sp, #112]
    stp x16, x17, [sp, #128]
    str x18, [sp, #144]
    keep_vectors
    mov x0, x1
    bl tls_address
    mrs x1, tpidr_el0
    sub x0, x0, x1
    restore_vectors
    ldr x18, [sp, #144]
    ldp x16, x17, [sp, #128]
    ldp x14, x15, [sp, #112]
    ldp x12, x13, [sp, #96]
    ldp x10, x11, [sp, #80]
    ldp x8, x9, [sp, #64]
    ldp x6, x7, [sp, #48]
    ldp x4, x5, [sp, #32]
    ldp x2, x3, [sp, #16]
    ldp x29, x30, [sp]
    .cfi_restore x29
    .cfi_restore x30
    add sp, sp, #FRAME
    .cfi_adjust_cfa_offset -FRAME
    ret
    .cfi_endproc
    .size tls_descriptor, . - tls_descriptor

#endif
    .section .note.GNU-stack, "", %progbits
