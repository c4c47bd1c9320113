/* immediate.c - is an integer an immediate number: a reference by its type alone (a fixnum), which the collector tells from an
 * object by its lowest bits?
 *
 * It surely is one where such a bit is set, and where it is the result of signed arithmetic with a check for overflow,
 * which nobody does with addresses.
 */
#include "analysis.h"
#include "ir.h"

/* Which of the lowest bits of a number are known to be clear, and which to be set. Objects are at multiples of eight. */
struct low_bits {
    unsigned clear, set;
};

enum { LOW_BITS = 3, LOW_MASK = 7, LOW_DEPTH = 6 };

static struct low_bits low_bits_of(LLVMValueRef v, int depth);

/* The bits of a sum or (with MINUS) a difference, as far as both operands are known from the lowest on. */
static struct low_bits bits_of_sum(struct low_bits a, struct low_bits b, int minus) {
    unsigned known = (a.clear | a.set) & (b.clear | b.set), n = 0;
    while (n < LOW_BITS && known >> n & 1)
        n++;
    unsigned mask = (1u << n) - 1, sum = (minus ? a.set - b.set : a.set + b.set) & mask;
    return (struct low_bits){~sum & mask, sum};
}

/* The bits that are the same in both. */
static struct low_bits bits_of_either(struct low_bits a, struct low_bits b) {
    return (struct low_bits){a.clear & b.clear, a.set & b.set};
}

/* Those of the operation OPCODE on A and B. */
static struct low_bits bits_of_operation(LLVMOpcode opcode, struct low_bits a, struct low_bits b) {
    switch (opcode) {
    case LLVMAnd:
        return (struct low_bits){a.clear | b.clear, a.set & b.set};
    case LLVMOr:
        return (struct low_bits){a.clear & b.clear, a.set | b.set};
    case LLVMXor:
        return (struct low_bits){(a.clear & b.clear) | (a.set & b.set), (a.set & b.clear) | (a.clear & b.set)};
    case LLVMAdd:
    case LLVMSub:
        return bits_of_sum(a, b, opcode == LLVMSub);
    default:
        return (struct low_bits){0, 0};
    }
}

/* Those of V, which is shifted to the left. */
static struct low_bits bits_of_shift(LLVMValueRef v, int depth) {
    struct low_bits of = low_bits_of(LLVMGetOperand(v, 0), depth);
    LLVMValueRef by = LLVMGetOperand(v, 1);
    if (!LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64)
        return (struct low_bits){0, 0};
    unsigned long long n = LLVMConstIntGetZExtValue(by);
    unsigned steps = n < LOW_BITS ? (unsigned)n : LOW_BITS;
    return (struct low_bits){(of.clear << steps | ((1u << steps) - 1)) & LOW_MASK, of.set << steps & LOW_MASK};
}

/* The lowest bits of the integer V, as far as they are known from at most DEPTH operations. */
static struct low_bits low_bits_of(LLVMValueRef v, int depth) {
    struct low_bits of = {0, 0};
    if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64) {
        of.set = LLVMConstIntGetZExtValue(v) & LOW_MASK;
        of.clear = ~of.set & LOW_MASK;
        return of;
    }
    if (!LLVMIsAInstruction(v) || depth-- == 0)
        return of;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    if (opcode == LLVMShl)
        return bits_of_shift(v, depth);
    if (LLVMIsABinaryOperator(v))
        return bits_of_operation(opcode, low_bits_of(LLVMGetOperand(v, 0), depth),
                                 low_bits_of(LLVMGetOperand(v, 1), depth));
    if (opcode == LLVMZExt || opcode == LLVMSExt || opcode == LLVMFreeze)
        return low_bits_of(LLVMGetOperand(v, 0), depth);
    if (opcode == LLVMSelect)
        return bits_of_either(low_bits_of(LLVMGetOperand(v, 1), depth), low_bits_of(LLVMGetOperand(v, 2), depth));
    if (opcode == LLVMPHI) {
        of = low_bits_of(LLVMGetIncomingValue(v, 0), depth);
        for (unsigned i = 1; i < LLVMCountIncoming(v) && (of.set || of.clear); i++)
            of = bits_of_either(of, low_bits_of(LLVMGetIncomingValue(v, i), depth));
    }
    return of;
}

/* 1 if V is a constant of a few bits, as tags have. */
static int is_tag(LLVMValueRef v) {
    long long n = LLVMIsAConstantInt(v) ? LLVMConstIntGetSExtValue(v) : LOW_MASK + 1;
    return n >= -LOW_MASK - 1 && n <= LOW_MASK;
}

/* V without the operations that set or clear a tag. */
static LLVMValueRef without_tag(LLVMValueRef v) {
    for (int depth = 0; depth < LOW_DEPTH && LLVMIsABinaryOperator(v) && is_tag(LLVMGetOperand(v, 1)); depth++)
        switch (LLVMGetInstructionOpcode(v)) {
        case LLVMAdd:
        case LLVMSub:
        case LLVMAnd:
        case LLVMOr:
        case LLVMXor:
            v = LLVMGetOperand(v, 0);
            break;
        default:
            return v;
        }
    return v;
}

/* 1 if V is signed arithmetic with a check for overflow. */
static int is_checked(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.sadd.with.overflow.") || is_intrinsic(v, "llvm.ssub.with.overflow.") ||
           is_intrinsic(v, "llvm.smul.with.overflow.");
}

/* 1 if V is what such arithmetic gives, with its tag or without. */
static int is_checked_result(LLVMValueRef v) {
    v = without_tag(v);
    return LLVMIsAExtractValueInst(v) && is_checked(LLVMGetOperand(v, 0));
}

int is_immediate(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (is_checked(v))
        return 1;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 64)
        return 0;
    return is_checked_result(v) || low_bits_of(v, LOW_DEPTH).set != 0;
}
