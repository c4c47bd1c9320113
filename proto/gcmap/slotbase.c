/* slotbase.c - see slotbase.h. */
#include "slotbase.h"

#include "stackmap.h"

#include <string.h>

enum { X86_RBP = 6, X86_RSP = 7, ARM_FP = 29, ARM_SP = 31, WORD = 8 };

/* Looks for mov %rsp, %rbx, which sets up the base pointer of x86-64 (X86RegisterInfo.cpp), and for mov %rsp, %rbp. The
 * bytes may be part of something else: then a base is called unknown that is not. */
static void read_x86_code(sm_slice code, sm_frame_shape *out) {
    static const unsigned char to_rbx[] = {0x48, 0x89, 0xe3}, to_rbp[] = {0x48, 0x89, 0xe5};
    out->base_pointer = memmem(code.data, code.len, to_rbx, sizeof to_rbx) != NULL;
    out->frame_pointer = memmem(code.data, code.len, to_rbp, sizeof to_rbp) != NULL;
}

/* Instructions that move the stack pointer down, with their immediate operand. Arm ARM, section C6.2. */
static const struct {
    uint32_t mask, value;
    unsigned shift, width; /* of the immediate */
    int scale;             /* negative where the operand is signed and added */
} pushes[] = {
    {0xffc003ff, 0xd10003ff, 10, 12, 1},    /* sub sp, sp, #imm */
    {0xffc003ff, 0xd14003ff, 10, 12, 4096}, /* sub sp, sp, #imm, lsl #12 */
    {0xffc003e0, 0xa98003e0, 15, 7, -8},    /* stp x, x, [sp, #imm]! */
    {0xffc003e0, 0x6d8003e0, 15, 7, -8},    /* stp d, d, [sp, #imm]! */
    {0xffe00fe0, 0xf8000fe0, 12, 9, -1},    /* str x, [sp, #imm]! */
    {0xffe00fe0, 0xfc000fe0, 12, 9, -1},    /* str d, [sp, #imm]! */
};

/* By how many bytes an instruction moves the stack pointer down; 0 if it does not. */
static int64_t pushed_by(uint32_t instruction) {
    for (size_t i = 0; i < sizeof pushes / sizeof *pushes; i++) {
        if ((instruction & pushes[i].mask) != pushes[i].value)
            continue;
        int32_t range = (int32_t)1 << pushes[i].width,
                operand = (int32_t)(instruction >> pushes[i].shift) & (range - 1);
        if (pushes[i].scale < 0 && operand >= range / 2)
            operand -= range;
        int64_t bytes = (int64_t)operand * pushes[i].scale;
        return bytes > 0 ? bytes : 0;
    }
    return 0;
}

/* Follows the stack pointer from the function's start to where the frame pointer is set (add x29, sp, #imm), and
 * looks for the base pointer, x19 (mov x19, sp; AArch64RegisterInfo.cpp). */
static void read_arm_prologue(sm_slice code, sm_frame_shape *out) {
    enum { SET_FP = 0x910003fd, SET_FP_MASK = 0xffc003ff, SET_X19 = 0x910003f3 };
    int64_t depth = 0;
    for (size_t at = 0; at + 4 <= code.len; at += 4) {
        sm_cursor c = sm_cursor_of(code.data + at, 4);
        uint32_t instruction = sm_get_u32(&c);
        out->base_pointer |= instruction == SET_X19;
        if (out->above)
            continue;
        depth += pushed_by(instruction);
        if ((instruction & SET_FP_MASK) == SET_FP && depth <= INT32_MAX) {
            out->frame_pointer = 1;
            int64_t above = depth - (int64_t)(instruction >> 10 & 0xfff);
            out->above = above > 0 ? (uint32_t)above : 0;
        }
    }
}

/* Finds out from a function's code how its frame is laid out; without code it is unknown. */
sm_frame_shape sm_frame_shape_of(uint16_t machine, sm_slice code) {
    sm_frame_shape shape = {.known = code.len > 0};
    if (!shape.known)
        return shape;
    if (machine == EM_AARCH64)
        read_arm_prologue(code, &shape);
    else
        read_x86_code(code, &shape);
    return shape;
}

/* 1 if the offset may be that of the gap among saved registers: these are saved by twos above the frame pointer and
 * the return address; one that is left over comes first and has the gap after it, unless a vector register takes
 * that. */
static int may_be_gap(const sm_frame_shape *shape, int32_t offset) {
    return offset == 3 * WORD && shape->above >= 4 * WORD && shape->above % (2 * WORD) == 0;
}

uint16_t sm_slot_base(uint16_t machine, const sm_frame_shape *shape, uint64_t frame_size, int32_t offset,
                      int32_t scale) {
    int x86 = machine == EM_X86_64, dynamic = frame_size == UINT64_MAX;
    if (sm_slot_is_unsigned(frame_size, scale))
        return !shape->known || shape->frame_pointer ? SM_REGISTER_UNKNOWN : x86 ? X86_RSP : ARM_SP;
    if (offset < 0)
        return x86 ? X86_RBP : ARM_FP;
    if (!shape->known)
        return x86 && !dynamic ? X86_RSP : SM_REGISTER_UNKNOWN;
    if (may_be_gap(shape, offset)) {
        /* Slots that count from the stack pointer are below the frame pointer. */
        int below = dynamic || (frame_size > shape->above && (uint64_t)offset < frame_size - shape->above);
        return below ? SM_REGISTER_UNKNOWN : ARM_FP;
    }
    if (dynamic && shape->base_pointer)
        return SM_REGISTER_UNKNOWN;
    return x86 ? X86_RSP : ARM_SP;
}
