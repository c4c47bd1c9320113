/* cmpxchg_flags.c - cmpxchg at level 0 on AArch64.
 *
 * There LLVM 19 makes a pseudo instruction of it, and does not tell that this changes the condition flags: a
 * comparison from before is then answered by that of the exchange (AArch64InstrAtomics.td, CMP_SWAP_64). Code
 * generation looks at one block at a time, and keeps no flags from one to another: so each cmpxchg gets a block of its
 * own.
 *
 * Requires the module as it will be emitted.
 *
 * No issue of LLVM's was found. tests/process/llvm19/cmpxchg_flags.ll fails when LLVM has repaired it.
 */
#include "base.h"
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "set.h"
#include "state.h"

#include <assert.h>
#include <elf.h>

/* Replaces PHI by an equal one that has the block NOW for the block WAS. */
static void change_incoming(LLVMBuilderRef b, LLVMValueRef phi, LLVMBasicBlockRef was, LLVMBasicBlockRef now) {
    LLVMPositionBuilderBefore(b, phi);
    LLVMValueRef created = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        value = value == phi ? created : value;
        from = from == was ? now : from;
        LLVMAddIncoming(created, &value, &from, 1);
    }
    call_replace(phi, created);
}

/* Replaces WAS by NOW in the phis of all successors of NOW. */
static void change_successors(LLVMBuilderRef b, LLVMBasicBlockRef was, LLVMBasicBlockRef now) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(now);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetSuccessor(end, k)), next; i && LLVMIsAPHINode(i);
             i = next) {
            next = LLVMGetNextInstruction(i);
            change_incoming(b, i, was, now);
        }
}

/* Moves FIRST and all that follows it in its block into a new block. */
static void split_block(struct compile *c, LLVMValueRef f, LLVMValueRef first) {
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

/* Gives each cmpxchg of F a block of its own. */
static void set_apart_swap(struct compile *c, LLVMValueRef f) {
    struct set result = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAtomicCmpXchgInst(i))
                set_add(&result, i);
    for (size_t i = 0; i < result.count; i++) {
        split_block(c, f, result.item[i]);
        split_block(c, f, LLVMGetNextInstruction(result.item[i]));
        deviate(c, DEVIATION_STANDS_APART);
    }
    set_free(&result);
}

/* Gives each cmpxchg a block of its own, on AArch64 at opt=0 only. */
sm_status swaps_set_apart(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    if (c->elf_machine != EM_AARCH64 || c->options->opt != SM_OPT_0)
        return SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f)))
            set_apart_swap(c, f);
    return SM_OK;
}
