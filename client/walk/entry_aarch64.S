/* entry_aarch64.S - from managed code into the runtime, with the callee-saved registers in memory.
 *
 * SM_RUNTIME_ENTRY jumps here as if its function had been called, with the C function to call in x16. The frame is an
 * sm_registers (288 bytes; offsets below), in which x29 and x30 stand where a frame record has them. Whatever the C
 * function changes in it is in force when managed code goes on; unwinders find the registers there, too, so that an
 * exception restores what a collector has moved. Until it returns, or an exception passes through (entry_left), it is the
 * first of the thread's chain. */
#if defined(__aarch64__)

#define PC       0
#define PREVIOUS 16
#define REG(n)   (32 + 8 * (n))
#define FRAME    288
#define KNOWN    0x7ff80000 /* the bits of x19 to x30 */

    .macro enter
    .cfi_startproc
    .cfi_personality 0x1b, entry_left
    hint #36 /* bti j: a jump comes here */
    sub sp, sp, #FRAME
    .cfi_def_cfa_offset FRAME
    stp x19, x20, [sp, #REG(19)]
    stp x21, x22, [sp, #REG(21)]
    stp x23, x24, [sp, #REG(23)]
    stp x25, x26, [sp, #REG(25)]
    stp x27, x28, [sp, #REG(27)]
    stp x29, x30, [sp, #REG(29)]
    .cfi_offset x19, REG(19) - FRAME
    .cfi_offset x20, REG(20) - FRAME
    .cfi_offset x21, REG(21) - FRAME
    .cfi_offset x22, REG(22) - FRAME
    .cfi_offset x23, REG(23) - FRAME
    .cfi_offset x24, REG(24) - FRAME
    .cfi_offset x25, REG(25) - FRAME
    .cfi_offset x26, REG(26) - FRAME
    .cfi_offset x27, REG(27) - FRAME
    .cfi_offset x28, REG(28) - FRAME
    .cfi_offset x29, REG(29) - FRAME
    .cfi_offset x30, REG(30) - FRAME
    add x29, sp, #REG(29)
    .cfi_def_cfa x29, FRAME - REG(29)
    add x9, sp, #FRAME
    stp x30, x9, [sp, #PC]
    mrs x19, tpidr_el0
    adrp x9, :gottprel:entry_chain
    ldr x9, [x9, #:gottprel_lo12:entry_chain]
    add x19, x19, x9
    ldr x10, [x19]
    movz x9, #(KNOWN >> 16), lsl #16
    stp x10, x9, [sp, #PREVIOUS]
    mov x9, sp
    str x9, [x19]
    .endm

    /* Requires x19 as enter left it. */
    .macro leave_entry
    sub sp, x29, #REG(29)
    .cfi_def_cfa sp, FRAME
    ldr x9, [sp, #PREVIOUS]
    str x9, [x19]
    ldp x19, x20, [sp, #REG(19)]
    ldp x21, x22, [sp, #REG(21)]
    ldp x23, x24, [sp, #REG(23)]
    ldp x25, x26, [sp, #REG(25)]
    ldp x27, x28, [sp, #REG(27)]
    ldp x29, x30, [sp, #REG(29)]
    add sp, sp, #FRAME
    .cfi_def_cfa_offset 0
    .cfi_restore x19
    .cfi_restore x20
    .cfi_restore x21
    .cfi_restore x22
    .cfi_restore x23
    .cfi_restore x24
    .cfi_restore x25
    .cfi_restore x26
    .cfi_restore x27
    .cfi_restore x28
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .endm

    .macro shift
    mov x7, x6
    mov x6, x5
    mov x5, x4
    mov x4, x3
    mov x3, x2
    mov x2, x1
    mov x1, x0
    .endm

    .text
    .globl sm_runtime_entry
    .type sm_runtime_entry, %function
    .p2align 4
sm_runtime_entry:
    enter
    shift
    mov x0, sp
    blr x16
    leave_entry
    .size sm_runtime_entry, . - sm_runtime_entry

/* The same for a function with arguments on the stack: x15 has the number of their words, and bit 16 if the last
 * register's argument joins them. */
    .globl sm_runtime_entry_wide
    .type sm_runtime_entry_wide, %function
    .p2align 4
sm_runtime_entry_wide:
    enter
    mov x20, sp
    and x21, x15, #0xffff
    add x22, x21, #2 /* words, one more, and made even */
    and x22, x22, #-2
    sub sp, sp, x22, lsl #3
    mov x22, sp
    tbz x15, #16, 1f
    str x7, [x22], #8
1:  add x23, x20, #FRAME
2:  cbz x21, 3f
    ldr x24, [x23], #8
    str x24, [x22], #8
    sub x21, x21, #1
    b 2b
3:  shift
    mov x0, x20
    blr x16
    leave_entry
    .size sm_runtime_entry_wide, . - sm_runtime_entry_wide

#endif
    .section .note.GNU-stack, "", %progbits
