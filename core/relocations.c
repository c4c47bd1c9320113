/* relocations.c - relocations that nobody uses are recorded, wherever they stand.
 *
 * They say what a statepoint's record has to tell of. Before an unreachable, as after a call that throws or
 * deoptimizes, AArch64's code generation takes away what has no effect (it simplifies control flow, SimplifyCFG.cpp),
 * and the references were in no record. A trap, which does not come back, keeps what stands before it.
 */
#include "core.h"

#include <string.h>

#define TRAP "llvm.trap"

/* Puts a trap at the end of the block if that is unreachable and has none. */
static void end_in_trap(struct compile *c, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), before = end ? LLVMGetPreviousInstruction(end) : NULL;
    if (!end || !LLVMIsAUnreachableInst(end) || (before && is_intrinsic(before, TRAP)))
        return;
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(c->module, LLVMLookupIntrinsicID(TRAP, strlen(TRAP)), NULL, 0);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, end);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, NULL, 0, "");
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_KEEPS_RELOCATIONS);
}

/* Has code generation record the relocations of the statepoint's function that nobody uses. After the rewrite. */
void relocations_keep(struct compile *c, LLVMValueRef statepoint) {
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(statepoint));
    if (c->elf_machine != EM_AARCH64 || c->options->opt == SM_OPT_0)
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        end_in_trap(c, b);
}
