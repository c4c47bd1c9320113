/* unwind_constants.c - references that turn out to be constants, on unwind edges.
 *
 * What code generation sees to be a constant it keeps in no slot of a statepoint, and copies it into a register where
 * another block uses it: after the call (StatepointLowering.cpp, RecordType::NoRelocate). An exception does not come
 * by there, so a landing pad finds in the register whatever was in it, and hands that to the next statepoint as a
 * root. Where the optimiser has been there is no such value; at opt=0 a select whose condition is known is one. Code
 * generation looks at one block at a time: so the invoke gets a block of its own, and what is in the block before is
 * no constant.
 *
 * Repaired by LLVM's #222894 after LLVM 19. tests/process/llvm19/unwind_constants.ll fails where it is repaired.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

/* 1 if code generation may find V to be a constant while it selects instructions for BLOCK. */
static int may_fold(LLVMValueRef v, LLVMBasicBlockRef block) {
    enum { STEPS = 100 };
    for (int i = 0; i < STEPS && LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == block; i++)
        switch (LLVMGetInstructionOpcode(v)) {
        case LLVMSelect:
        case LLVMIntToPtr:
        case LLVMExtractElement:
        case LLVMExtractValue:
            return 1;
        case LLVMCall: /* what it relocates may have folded */
            return is_relocate(v);
        case LLVMGetElementPtr:
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
        case LLVMFreeze:
            v = LLVMGetOperand(v, 0);
            break;
        default:
            return 0;
        }
    return LLVMIsAConstant(v) != NULL;
}

/* 1 if INVOKE has a reference as operand that may fold to a constant in its block. */
static int lists_foldable(LLVMValueRef invoke) {
    for (int i = 0; i < LLVMGetNumOperands(invoke); i++) {
        LLVMValueRef v = LLVMGetOperand(invoke, (unsigned)i);
        if (LLVMIsAInstruction(v) && holds_reference(LLVMTypeOf(v)) && may_fold(v, LLVMGetInstructionParent(invoke)))
            return 1;
    }
    return 0;
}

/* Sets the invoke at the block's end apart if it is a statepoint with foldable references. */
static void set_end_apart(struct compile *c, LLVMValueRef f, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!end || !LLVMIsAInvokeInst(end) || !is_statepoint(end) || !lists_foldable(end))
        return;
    block_split(c, f, end);
    deviate(c, DEVIATION_STANDS_APART);
}

/* 1 if code generation optimises F: not at level 0, nor with optnone. */
static int is_optimised(const struct compile *c, LLVMValueRef f) {
    return c->options->opt != SM_OPT_0 && !function_attribute(f, "optnone");
}

/* Gives invokes with foldable references blocks of their own, in functions that are not optimised. Requires the
 * rewritten module. */
void edges_set_apart(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f)) {
        if (is_optimised(c, f))
            continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            set_end_apart(c, f, b);
    }
}
