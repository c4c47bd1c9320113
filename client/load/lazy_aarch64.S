/* lazy_aarch64.S - a call that is made for the first time: keeps every register that can hold an argument (of vectors 128
 * bits), asks lazy_resolve where to go, and goes there. x16 has the slot; it is nobody's argument. */
#if defined(__aarch64__)

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
    mov x0, x16
    bl lazy_resolve
    mov x16, x0
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
