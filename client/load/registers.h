/* registers.h - for the assembly of lazy_*.S and tls_*.S: code that may be entered at any call keeps the registers of
 * vectors and floating point around a call of C. */
#ifndef SM_LOAD_REGISTERS_H
#define SM_LOAD_REGISTERS_H

/* clang-format off */
#if defined(__x86_64__)

/* All that the processor's XSAVE keeps, on the stack, which is aligned for it; lazy_state_bytes and lazy_state_parts say
 * how much that is (lazy.c). Takes rax and rdx; rsp is restored by the caller. */
    .macro keep_state
    subq lazy_state_bytes(%rip), %rsp
    andq $-64, %rsp
    movq lazy_state_parts(%rip), %rax
    testq %rax, %rax
    jz 8f
    xorl %edx, %edx
    movq %rdx, 512(%rsp)
    movq %rdx, 520(%rsp)
    movq %rdx, 528(%rsp)
    movq %rdx, 536(%rsp)
    movq %rdx, 544(%rsp)
    movq %rdx, 552(%rsp)
    movq %rdx, 560(%rsp)
    movq %rdx, 568(%rsp)
    xsave64 (%rsp)
    jmp 9f
8:  fxsave64 (%rsp)
9:
    .endm

    .macro restore_state
    movq lazy_state_parts(%rip), %rax
    testq %rax, %rax
    jz 8f
    xorl %edx, %edx
    xrstor64 (%rsp)
    jmp 9f
8:  fxrstor64 (%rsp)
9:
    .endm

#elif defined(__aarch64__)

/* q0 to q31, at sp + 160 to sp + 671. */
    .macro keep_vectors
    stp q0, q1, [sp, #160]
    stp q2, q3, [sp, #192]
    stp q4, q5, [sp, #224]
    stp q6, q7, [sp, #256]
    stp q8, q9, [sp, #288]
    stp q10, q11, [sp, #320]
    stp q12, q13, [sp, #352]
    stp q14, q15, [sp, #384]
    stp q16, q17, [sp, #416]
    stp q18, q19, [sp, #448]
    stp q20, q21, [sp, #480]
    stp q22, q23, [sp, #512]
    stp q24, q25, [sp, #544]
    stp q26, q27, [sp, #576]
    stp q28, q29, [sp, #608]
    stp q30, q31, [sp, #640]
    .endm

    .macro restore_vectors
    ldp q30, q31, [sp, #640]
    ldp q28, q29, [sp, #608]
    ldp q26, q27, [sp, #576]
    ldp q24, q25, [sp, #544]
    ldp q22, q23, [sp, #512]
    ldp q20, q21, [sp, #480]
    ldp q18, q19, [sp, #448]
    ldp q16, q17, [sp, #416]
    ldp q14, q15, [sp, #384]
    ldp q12, q13, [sp, #352]
    ldp q10, q11, [sp, #320]
    ldp q8, q9, [sp, #288]
    ldp q6, q7, [sp, #256]
    ldp q4, q5, [sp, #224]
    ldp q2, q3, [sp, #192]
    ldp q0, q1, [sp, #160]
    .endm

#endif
/* clang-format on */

#endif
