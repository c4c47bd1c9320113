/* blocks.c - a block becomes two; allocas stand where their function begins.
 *
 * LLVM's C API cannot say of a phi that a value comes from another block, so phis behind the second half are built anew.
 */
#include "ir.h"

/* See ir.h */
void phi_redirect(LLVMBuilderRef b, LLVMValueRef phi, LLVMBasicBlockRef was, LLVMBasicBlockRef now) {
    LLVMPositionBuilderBefore(b, phi);
    LLVMValueRef created = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        value = value == phi ? created : value;
        from = from == was ? now : from;
        if (from)
            LLVMAddIncoming(created, &value, &from, 1);
    }
    if (LLVMCountIncoming(created)) {
        call_replace(phi, created);
    } else {
        LLVMInstructionEraseFromParent(created);
        replace_value(phi, LLVMGetPoison(LLVMTypeOf(phi)));
    }
}

/* Replaces WAS by NOW in the phis of all successors of NOW. */
static void change_successors(LLVMBuilderRef b, LLVMBasicBlockRef was, LLVMBasicBlockRef now) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(now);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetSuccessor(end, k)), next; i && LLVMIsAPHINode(i);
             i = next) {
            next = LLVMGetNextInstruction(i);
            phi_redirect(b, i, was, now);
        }
}

/* See ir.h */
void block_split(struct compile *c, LLVMValueRef f, LLVMValueRef first) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(first);
    LLVMBasicBlockRef rest = LLVMAppendBasicBlockInContext(c->context, f, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMMoveBasicBlockAfter(rest, block);
    LLVMPositionBuilderAtEnd(b, rest);
    for (LLVMValueRef i = first, next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(b, i);
    }
    LLVMPositionBuilderAtEnd(b, block);
    LLVMBuildBr(b, rest);
    change_successors(b, block, rest);
    LLVMDisposeBuilder(b);
}

LLVMValueRef allocas_gather(LLVMBuilderRef b, LLVMValueRef f) {
    LLVMValueRef at = first_instruction(f);
    while (LLVMIsAAllocaInst(at) && LLVMIsAConstantInt(LLVMGetOperand(at, 0)))
        at = LLVMGetNextInstruction(at);
    for (LLVMValueRef i = at, next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) || i == at)
            continue;
        LLVMPositionBuilderBefore(b, at);
        move_instruction(b, i);
    }
    return at;
}
