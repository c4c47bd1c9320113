/* expression.c - DWARF expressions that say where a caller's stack pointer is (DWARF 5, section 2.5): arithmetic on
 * registers and numbers, as of frames with scalable vectors. One that does anything else has no value: nothing is
 * read, and nothing is repeated, so that each takes no longer than its bytes. */
#include "dwarf.h"
#include "frames.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

enum {
    OP_CONST1U = 0x08,
    OP_CONST1S,
    OP_CONST2U,
    OP_CONST2S,
    OP_CONST4U,
    OP_CONST4S,
    OP_CONST8U,
    OP_CONST8S,
    OP_CONSTU,
    OP_CONSTS,
    OP_DUP,
    OP_AND = 0x1a,
    OP_MINUS = 0x1c,
    OP_MUL = 0x1e,
    OP_OR = 0x21,
    OP_PLUS = 0x22,
    OP_PLUS_UCONST = 0x23,
    OP_SHL = 0x24,
    OP_SHR = 0x25,
    OP_LIT0 = 0x30,
    OP_LIT31 = 0x4f,
    OP_BREG0 = 0x70,
    OP_BREG31 = 0x8f,
    OP_BREGX = 0x92,
};

enum { DEPTH = 16 };

/* The vector granule, in which AArch64 counts scalable vectors: 64 bits, as many as a vector has. 0: no vectors. */
static uintptr_t vector_granules(void) {
#if defined(__aarch64__)
    enum { HAS_SVE = 1 << 22 };
    register uintptr_t granules __asm__("x0") = 0;
    if (getauxval(AT_HWCAP) & HAS_SVE)
        __asm__(".inst 0x04e0e3e0" : "=r"(granules)); /* cntd x0 */
    return granules;
#else
    return 0;
#endif
}

/* The number that follows a constant's operation. */
static uintptr_t constant(sm_cursor *c, unsigned op) {
    switch (op) {
    case OP_CONST1U:
        return sm_get_u8(c);
    case OP_CONST1S:
        return (uintptr_t)(int8_t)sm_get_u8(c);
    case OP_CONST2U:
        return sm_get_u16(c);
    case OP_CONST2S:
        return (uintptr_t)(int16_t)sm_get_u16(c);
    case OP_CONST4U:
        return sm_get_u32(c);
    case OP_CONST4S:
        return (uintptr_t)(int32_t)sm_get_u32(c);
    case OP_CONSTU:
        return get_uleb(c);
    case OP_CONSTS:
        return (uintptr_t)get_sleb(c);
    default:
        return sm_get_u64(c);
    }
}

/* The result of an operation on two values; 0, and *KNOWN is 0, if it is another one. */
static uintptr_t apply(unsigned op, uintptr_t a, uintptr_t b, int *known) {
    enum { BITS = 64 };
    switch (op) {
    case OP_AND:
        return a & b;
    case OP_MINUS:
        return a - b;
    case OP_MUL:
        return a * b;
    case OP_OR:
        return a | b;
    case OP_PLUS:
        return a + b;
    case OP_SHL:
        return b < BITS ? a << b : 0;
    case OP_SHR:
        return b < BITS ? a >> b : 0;
    default:
        *known = 0;
        return 0;
    }
}

/* Register REG's value and the number that follows; 0, and *KNOWN is 0, if the value is not known. */
static uintptr_t based(sm_cursor *c, const uintptr_t *const *reg, uintptr_t sp, uint64_t number, int *known) {
    enum { VG = 46 };
    uintptr_t offset = (uintptr_t)get_sleb(c);
    if (number == REG_SP)
        return sp + offset;
    if (number < SAVED_REGISTERS && reg[number])
        return *reg[number] + offset;
    uintptr_t granules = number == VG ? vector_granules() : 0;
    *known &= granules != 0;
    return granules + offset;
}

int expression_value(const unsigned char *expression, size_t len, const uintptr_t *const *reg, uintptr_t sp,
                     uintptr_t *value) {
    sm_cursor c = sm_cursor_of(expression, len);
    uintptr_t stack[DEPTH + 1];
    int n = 0, known = 1;
    while (sm_cursor_left(&c) && known && c.status == SM_OK && n < DEPTH) {
        unsigned op = sm_get_u8(&c);
        if (op >= OP_CONST1U && op <= OP_CONSTS)
            stack[n++] = constant(&c, op);
        else if (op >= OP_LIT0 && op <= OP_LIT31)
            stack[n++] = op - OP_LIT0;
        else if (op >= OP_BREG0 && op <= OP_BREG31)
            stack[n++] = based(&c, reg, sp, op - OP_BREG0, &known);
        else if (op == OP_BREGX) {
            uint64_t number = get_uleb(&c);
            stack[n++] = based(&c, reg, sp, number, &known);
        } else if (op == OP_PLUS_UCONST && n > 0)
            stack[n - 1] += get_uleb(&c);
        else if (n > 1) {
            stack[n - 2] = apply(op, stack[n - 2], stack[n - 1], &known);
            n--;
        } else
            known = 0;
    }
    *value = n > 0 ? stack[n - 1] : 0;
    return known && n == 1 && sm_cursor_left(&c) == 0 && c.status == SM_OK;
}
