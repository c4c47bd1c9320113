/* lazy_aarch64.S - a call that is made for the first time: keeps every register that can hold an argument (of vectors 128
 * bits), asks lazy_resolve where to go, and goes there. x16 has the slot; it is nobody's argument. */
#if defined(__aarch64__)
#include "registers.h"

    .text
    .globl lazy_enter
    .hidden lazy_enter
    .type lazy_enter, %function
    .p2align 4
lazy_enter:
    .cfi_startproc
    hint #36 /* bti j */
    sub sp, sp, #672
    stp x29, x30, [sp]
    .cfi_def_cfa_offset 672
    .cfi_offset x29, -672
    .cfi_offset x30, -664
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    stp x8, x9, [sp, #80]
    stp x10, x11, [sp, #96]
    stp x12, x13, [sp, #112]
    stp x14, x15, [sp, #128]
    stp x18, xzr, [sp, #144]
    keep_vectors
    mov x0, x16
    bl lazy_resolve
    mov x16, x0
    restore_vectors
    ldr x18, [sp, #144]
    ldp x14, x15, [sp, #128]
    ldp x12, x13, [sp, #112]
    ldp x10, x11, [sp, #96]
    ldp x8, x9, [sp, #80]
    ldp x6, x7, [sp, #64]
    ldp x4, x5, [sp, #48]
    ldp x2, x3, [sp, #32]
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp]
    add sp, sp, #672
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    br x16
    .cfi_endproc
    .size lazy_enter, . - lazy_enter

#endif
    .section .note.GNU-stack, "", %progbits
