/* entry_x86_64.S - from managed code into the runtime, with the callee-saved registers in memory.
 *
 * SM_RUNTIME_ENTRY jumps here as if its function had been called, with the C function to call in r11. The frame is an
 * sm_registers (160 bytes; offsets below) and 8 bytes that align it. Whatever the C function changes in it is in force
 * when managed code goes on; unwinders find the registers there, too, so that an exception restores what a collector
 * has moved. */
#if defined(__x86_64__)

#define PC       0
#define SP       8
#define PREVIOUS 16
#define VALID    24
#define REG(n)   (32 + 8 * (n)) /* by DWARF number: rbx 3, rbp 6, r12 to r15 */
#define FRAME    168
#define KNOWN    0xf048 /* the bits of those registers */

    .text
    .globl sm_runtime_entry
    .type sm_runtime_entry, @function
    .p2align 4
sm_runtime_entry:
    .cfi_startproc
    endbr64
    subq $FRAME, %rsp
    .cfi_def_cfa_offset FRAME + 8
    movq %rbx, REG(3)(%rsp)
    movq %rbp, REG(6)(%rsp)
    movq %r12, REG(12)(%rsp)
    movq %r13, REG(13)(%rsp)
    movq %r14, REG(14)(%rsp)
    movq %r15, REG(15)(%rsp)
    .cfi_offset %rbx, REG(3) - FRAME - 8
    .cfi_offset %rbp, REG(6) - FRAME - 8
    .cfi_offset %r12, REG(12) - FRAME - 8
    .cfi_offset %r13, REG(13) - FRAME - 8
    .cfi_offset %r14, REG(14) - FRAME - 8
    .cfi_offset %r15, REG(15) - FRAME - 8
    movq FRAME(%rsp), %rax
    movq %rax, PC(%rsp)
    leaq FRAME + 8(%rsp), %rax
    movq %rax, SP(%rsp)
    movq $0, PREVIOUS(%rsp)
    movq $KNOWN, VALID(%rsp)
    movq %r8, %r9
    movq %rcx, %r8
    movq %rdx, %rcx
    movq %rsi, %rdx
    movq %rdi, %rsi
    movq %rsp, %rdi
    callq *%r11
    movq REG(3)(%rsp), %rbx
    movq REG(6)(%rsp), %rbp
    movq REG(12)(%rsp), %r12
    movq REG(13)(%rsp), %r13
    movq REG(14)(%rsp), %r14
    movq REG(15)(%rsp), %r15
    .cfi_restore %rbx
    .cfi_restore %rbp
    .cfi_restore %r12
    .cfi_restore %r13
    .cfi_restore %r14
    .cfi_restore %r15
    addq $FRAME, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size sm_runtime_entry, . - sm_runtime_entry

#endif
    .section .note.GNU-stack, "", %progbits
