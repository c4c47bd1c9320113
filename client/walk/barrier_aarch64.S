/* barrier_aarch64.S - the stubs of return barriers: a return comes here, with its address in x30, and goes on where the
 * frame waits.
 *
 * Only x9 to x17 may change: the others hold results, or are the caller's.
 *
 * To an unwinder a stub is the frame of a signal's handler that interrupted the frame, so that both may have one stack
 * pointer. Of what was interrupted unwinders take the address as it is, and of callers the one before: so the rule gives
 * one that lies before the return address. */
#if defined(__aarch64__)
#include "barrier.h"

    .text
    .globl barrier_stub
    .hidden barrier_stub
    .type barrier_stub, %object
    .hidden barrier_watermark
    .p2align 8
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa sp, 0
    /* DW_CFA_val_expression of the return address. The stack begins with the CFA. */
    .cfi_escape 0x16, 30, 34
    .cfi_escape 0x8e, 0                      /* breg30: the stub */
    .cfi_escape 0x12, 0x0b, 0x00, 0xff, 0x1a /* dup, const2s -256, and: its group */
    .cfi_escape 0x94, 4                      /* deref_size 4: from the stubs to their watermarks */
    .cfi_escape 0x08, 32, 0x24, 0x08, 32, 0x26 /* const1u 32, shl, const1u 32, shra */
    .cfi_escape 0x22, 0x06                   /* plus, deref: its first barrier */
    .cfi_escape 0x14, 0x14, 0x06, 0x29       /* over, over, deref, eq */
    .cfi_escape 0x28, 5, 0                   /* bra: it is this one */
    .cfi_escape 0x23, BARRIER_BYTES          /* plus_uconst */
    .cfi_escape 0x2f, 0xf4, 0xff             /* skip: back to over */
    .cfi_escape 0x23, BARRIER_PC, 0x06, 0x31, 0x1c /* plus_uconst, deref, lit1, minus */
barrier_stub:
    .rept BARRIER_GROUPS
    .long barrier_watermark - barrier_stub
    .long 0
    .rept BARRIER_GROUP - 1
    b barrier_return
    nop
    .endr
    .endr
    .cfi_endproc
    .size barrier_stub, . - barrier_stub

    .type barrier_return, %function
    .p2align 4
barrier_return:
    .cfi_startproc
    .cfi_undefined x30
    adrp x16, barrier_watermark
    add x16, x16, :lo12:barrier_watermark
    adrp x17, barrier_stub
    add x17, x17, :lo12:barrier_stub
    sub x17, x30, x17
    ldr x16, [x16, x17]
    mov x17, sp
1:  ldr x9, [x16]
    cmp x9, x17
    b.eq 2f
    add x16, x16, #BARRIER_BYTES
    cbnz x9, 1b
    brk #1
2:  ldr x30, [x16, #BARRIER_PC]
    ret
    .cfi_endproc
    .size barrier_return, . - barrier_return

#endif
    .section .note.GNU-stack, "", %progbits
