/* entry_x86_64.S - from managed code into the runtime, with the callee-saved registers in memory.
 *
 * SM_RUNTIME_ENTRY jumps here as if its function had been called, with the C function to call in r11. The frame is an
 * sm_registers (160 bytes; offsets below) and 8 bytes that align it. Whatever the C function changes in it is in force
 * when managed code goes on; unwinders find the registers there, too, so that an exception restores what a collector
 * has moved. Until it returns, or an exception passes through (entry_left), it is the first of the thread's chain. */
#if defined(__x86_64__)

#define PC       0
#define SP       8
#define PREVIOUS 16
#define VALID    24
#define REG(n)   (32 + 8 * (n)) /* by DWARF number: rbx 3, rbp 6, r12 to r15 */
#define FRAME    168
#define KNOWN    0xf048 /* the bits of those registers */

    .macro enter
    .cfi_startproc
    .cfi_personality 0x1b, entry_left
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
    movq $KNOWN, VALID(%rsp)
    movq entry_chain@gottpoff(%rip), %rbx
    movq %fs:(%rbx), %rax
    movq %rax, PREVIOUS(%rsp)
    movq %rsp, %fs:(%rbx)
    .endm

    /* Requires rbx as enter left it. */
    .macro leave_entry
    movq PREVIOUS(%rsp), %rcx
    movq %rcx, %fs:(%rbx)
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
    .endm

    .macro call_shifted
    movq %r8, %r9
    movq %rcx, %r8
    movq %rdx, %rcx
    movq %rsi, %rdx
    movq %rdi, %rsi
    .endm

    .text
    .globl sm_runtime_entry
    .type sm_runtime_entry, @function
    .p2align 4
sm_runtime_entry:
    enter
    call_shifted
    movq %rsp, %rdi
    callq *%r11
    leave_entry
    .size sm_runtime_entry, . - sm_runtime_entry

/* The same for a function with arguments on the stack: r10 has the number of their words, and bit 16 if the last
 * register's argument joins them. */
    .globl sm_runtime_entry_wide
    .type sm_runtime_entry_wide, @function
    .p2align 4
sm_runtime_entry_wide:
    enter
    movq %rsp, %rbp
    .cfi_def_cfa %rbp, FRAME + 8
    movzwl %r10w, %r12d
    leaq 2(%r12), %r13 /* words, one more, and made even */
    andq $-2, %r13
    leaq (, %r13, 8), %r13
    subq %r13, %rsp
    movq %rsp, %r13
    btl $16, %r10d
    jnc 1f
    movq %r9, (%r13)
    addq $8, %r13
1:  leaq FRAME + 8(%rbp), %r14
2:  decq %r12
    js 3f
    movq (%r14, %r12, 8), %r15
    movq %r15, (%r13, %r12, 8)
    jmp 2b
3:  call_shifted
    movq %rbp, %rdi
    callq *%r11
    movq %rbp, %rsp
    .cfi_def_cfa %rsp, FRAME + 8
    leave_entry
    .size sm_runtime_entry_wide, . - sm_runtime_entry_wide

#endif
    .section .note.GNU-stack, "", %progbits
