/* tag_values.c - what one integer says of itself: whether it changes only tags, was never an address, or was kept. */
#include "tag_values.h"
#include "ir.h"
#include "marks.h"

enum { DEPTH = 32, STEPS = 200 };

/* The bits that may be set in V; all of them if that is not known after looking at *STEPS values. */
static uint64_t possible_bits(LLVMValueRef v, int *steps) {
    uint64_t bits = 0;
    if (LLVMIsAConstantInt(v))
        return LLVMConstIntGetZExtValue(v);
    if (--*steps < 0 || !LLVMIsAInstruction(v))
        return UINT64_MAX;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt: {
        unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0)));
        return width < 64 ? ((UINT64_C(1) << width) - 1) & possible_bits(LLVMGetOperand(v, 0), steps) : UINT64_MAX;
    }
    case LLVMAnd:
        bits = possible_bits(LLVMGetOperand(v, 0), steps);
        return bits & possible_bits(LLVMGetOperand(v, 1), steps);
    case LLVMOr:
    case LLVMXor:
        bits = possible_bits(LLVMGetOperand(v, 0), steps);
        return bits | possible_bits(LLVMGetOperand(v, 1), steps);
    case LLVMSelect:
        bits = possible_bits(LLVMGetOperand(v, 1), steps);
        return bits | possible_bits(LLVMGetOperand(v, 2), steps);
    case LLVMShl:
        if (!LLVMIsAConstantInt(LLVMGetOperand(v, 1)) || LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) > 63)
            return UINT64_MAX;
        return possible_bits(LLVMGetOperand(v, 0), steps) << LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            bits |= possible_bits(LLVMGetIncomingValue(v, i), steps);
        return bits;
    default:
        return UINT64_MAX;
    }
}

/* 1 if all bits that may be set in V are bits of the tag mask. */
static int changes_tags_alone(uint64_t mask, LLVMValueRef v) {
    int steps = STEPS;
    return !(possible_bits(v, &steps) & ~mask);
}

/* 1 if V is a constant, and the bits of its negative are bits of the tag mask: adding it is taking a tag off. */
static int takes_tags_off(uint64_t mask, LLVMValueRef v) {
    return LLVMIsAConstantInt(v) && !((0 - LLVMConstIntGetZExtValue(v)) & ~mask);
}

LLVMValueRef tag_operand(uint64_t mask, LLVMValueRef v) {
    LLVMValueRef a, b;
    if (!LLVMIsABinaryOperator(v))
        return NULL;
    a = LLVMGetOperand(v, 0);
    b = LLVMGetOperand(v, 1);
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
        return LLVMIsAConstantInt(b) && !(~LLVMConstIntGetZExtValue(b) & ~mask) ? a : NULL;
    case LLVMOr:
    case LLVMXor:
        return changes_tags_alone(mask, b) ? a : changes_tags_alone(mask, a) ? b : NULL;
    case LLVMAdd:
        if (takes_tags_off(mask, b))
            return a;
        return changes_tags_alone(mask, b) ? a : changes_tags_alone(mask, a) ? b : NULL;
    case LLVMSub:
        return changes_tags_alone(mask, b) || takes_tags_off(mask, b) ? a : NULL;
    default:
        return NULL;
    }
}

/* 1 if V is a constant or the result of floating-point arithmetic, and so never a boxed reference. What only passes a
 * value on may pass on a box. */
static int is_computed(LLVMValueRef v) {
    if (list_begins(
            "llvm.sqrt.,llvm.pow,llvm.sin.,llvm.cos.,llvm.exp,llvm.log,llvm.fma,llvm.floor,llvm.ceil.,llvm.trunc.,"
            "llvm.rint.,llvm.nearbyint.,llvm.round",
            called_function(v)))
        return 1;
    switch (LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
        return 1;
    default:
        return LLVMIsAConstant(v) != NULL;
    }
}

/* 1 if V is an and by a constant of 32 bits at most: an address cannot be computed from that. */
static int is_low_part(LLVMValueRef v) {
    LLVMValueRef bits = LLVMGetOperand(v, 1);
    return LLVMIsAConstantInt(bits) && LLVMConstIntGetZExtValue(bits) <= UINT32_MAX;
}

/* 1 if V was certainly never an address: what smd.gc.number says to be none, a constant, an extended smaller integer,
 * a converted or computed double, or arithmetic of those. */
static int is_number(LLVMValueRef v, int depth) {
    if (LLVMIsAConstant(v))
        return 1;
    if (depth == 0 || !LLVMIsAInstruction(v))
        return 0;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToSI:
    case LLVMFPToUI:
        return 1;
    case LLVMBitCast:
        return is_computed(LLVMGetOperand(v, 0));
    case LLVMCall:
        return strcmp(called_function(v), TAG_NUMBER) == 0;
    case LLVMAnd:
        if (is_low_part(v))
            return 1;
        break;
    default:
        break;
    }
    return LLVMIsABinaryOperator(v) && is_number(LLVMGetOperand(v, 0), depth - 1) &&
           is_number(LLVMGetOperand(v, 1), depth - 1);
}

int tag_is_integer(LLVMValueRef v) {
    return is_number(v, DEPTH);
}

int tag_is_number(LLVMValueRef v) {
    return tag_is_integer(v) || (is_computed(v) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMDoubleTypeKind);
}

/* 1 if V comes from where it was kept (parameter, memory, call, statepoint's result) and may therefore be a tagged
 * reference. Other intrinsics compute. */
int tag_is_source(LLVMValueRef v) {
    if (LLVMIsAExtractValueInst(v))
        return tag_is_source(LLVMGetOperand(v, 0)) || LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(v, 0));
    return LLVMIsAArgument(v) || LLVMIsALoadInst(v) || LLVMIsAInvokeInst(v) || LLVMIsAAtomicRMWInst(v) ||
           (LLVMIsACallInst(v) && (!intrinsic_name(v) || is_result(v)));
}

/* 1 if V is the bits of a double that may be a boxed reference. */
int tag_is_box(LLVMValueRef v) {
    LLVMValueRef boxed = LLVMIsABitCastInst(v) ? LLVMGetOperand(v, 0) : NULL;
    return boxed && LLVMGetTypeKind(LLVMTypeOf(boxed)) == LLVMDoubleTypeKind && tag_is_source(boxed);
}
