/* barrier_x86_64.S - the stubs of return barriers: a return comes here, and goes on where the frame waits.
 *
 * Only rsi, rdi, r8 to r11 may change: the others hold results, or are the caller's.
 *
 * To an unwinder a stub is the frame of a signal's handler that interrupted the frame, so that both may have one stack
 * pointer. Of what was interrupted unwinders take the address as it is, and of callers the one before: so the rule gives the
 * one before the return address. */
#if defined(__x86_64__)
#include "barrier.h"

    .text
    .globl barrier_stub
    .hidden barrier_stub
    .type barrier_stub, @object
    .hidden barrier_watermark
    .p2align 8
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 0
    /* DW_CFA_val_expression of the return address. The stack begins with the CFA. */
    .cfi_escape 0x16, 16, 36
    .cfi_escape 0x12, 0x38, 0x1c, 0x06       /* dup, lit8, minus, deref: the stub */
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
    .p2align BARRIER_STUB_SHIFT, 0xcc
    .rept BARRIER_GROUP - 1
    call barrier_return
    .p2align BARRIER_STUB_SHIFT, 0xcc
    .endr
    .endr
    .cfi_endproc
    .size barrier_stub, . - barrier_stub

    .type barrier_return, @function
    .p2align 4
barrier_return:
    .cfi_startproc
    .cfi_undefined %rip
    movq (%rsp), %r11
    leaq barrier_watermark - 5(%rip), %r10 /* less a call's length */
    leaq barrier_stub(%rip), %r9
    subq %r9, %r11
    movq (%r10, %r11), %r10
    leaq 8(%rsp), %r11
1:  movq (%r10), %r9
    cmpq %r9, %r11
    je 2f
    addq $BARRIER_BYTES, %r10
    testq %r9, %r9
    jne 1b
    ud2
2:  movq BARRIER_PC(%r10), %r11
    movq %r11, (%rsp)
    ret
    .cfi_endproc
    .size barrier_return, . - barrier_return

#endif
    .section .note.GNU-stack, "", %progbits
