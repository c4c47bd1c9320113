/* flow.c - the one table of what an instruction passes on of its operands. Whoever follows a value asks it, and says by
 * bits which of these he follows. */
#include "ir.h"

unsigned flow_at(LLVMValueRef i, unsigned operand) {
    switch (LLVMIsAInstruction(i) ? LLVMGetInstructionOpcode(i) : 0) {
    case LLVMFreeze:
        return FLOW_SAME;
    case LLVMBitCast:
        return FLOW_CAST;
    case LLVMAddrSpaceCast:
        return FLOW_SPACE;
    case LLVMPHI:
        return FLOW_CHOICE;
    case LLVMSelect:
        return operand ? FLOW_CHOICE : 0; /* the first is its condition */
    case LLVMGetElementPtr:
        return operand ? FLOW_INDEX : FLOW_STEP;
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return FLOW_BITS;
    case LLVMZExt:
    case LLVMSExt:
        return FLOW_WIDER;
    case LLVMTrunc:
        return FLOW_NARROWER;
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return FLOW_ARITHMETIC;
    case LLVMInsertElement:
        return operand == 2 ? 0 : FLOW_INTO_VECTOR; /* the third is the lane's number */
    case LLVMExtractElement:
        return operand ? 0 : FLOW_OUT_OF_VECTOR;
    case LLVMShuffleVector:
        return FLOW_LANES;
    case LLVMInsertValue:
        return FLOW_INTO_STRUCT;
    case LLVMExtractValue:
        return FLOW_OUT_OF_STRUCT;
    default:
        return 0;
    }
}

unsigned flow_of(LLVMValueRef user, LLVMValueRef v) {
    unsigned flow = 0;
    for (int k = 0; flow_at(user, 0) | flow_at(user, 1) && k < LLVMGetNumOperands(user); k++)
        flow |= LLVMGetOperand(user, (unsigned)k) == v ? flow_at(user, (unsigned)k) : 0;
    return flow;
}
