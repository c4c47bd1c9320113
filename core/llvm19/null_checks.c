/* null_checks.c - tests for null that stay tests.
 *
 * With null_checks=implicit LLVM makes a test that is marked !make.implicit a fault of an access behind it. For that it
 * compares the access with those before it in the block, by the pointers that they had in the IR, and crashes over one
 * that has lost its own (ImplicitNullChecks.cpp, areMemoryOpsAliased; LLVM's #63585): a gather or scatter, one
 * load made of two that a select chooses from. So a test before a block with such accesses loses the mark,
 * and is made explicitly. tests/process/llvm19/null_checks.ll fails when LLVM has repaired it.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

/* 1 if code generation may make accesses without a pointer of the IR's in BLOCK. */
static int loses_pointers(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        int result = is_vector(LLVMTypeOf(i));
        for (int k = 0; k < LLVMGetNumOperands(i) && !result; k++) {
            LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
            result = is_vector(LLVMTypeOf(operand)) || (LLVMIsASelectInst(i) && LLVMIsALoadInst(operand));
        }
        if (result)
            return 1;
    }
    return 0;
}

/* Takes the mark from tests for null before blocks whose accesses may lose their pointers. Requires the rewritten
 * module. */
void null_checks_unmark(struct compile *c) {
    unsigned kind = LLVMGetMDKindIDInContext(c->context, "make.implicit", 13);
    assert(c->form == FORM_REWRITTEN);
    if (c->options->null_checks != SM_NULL_IMPLICIT)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
            if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) || !LLVMHasMetadata(end) ||
                !LLVMGetMetadata(end, kind))
                continue;
            if (!loses_pointers(LLVMGetSuccessor(end, 0)) && !loses_pointers(LLVMGetSuccessor(end, 1)))
                continue;
            LLVMSetMetadata(end, kind, NULL);
            deviate(c, DEVIATION_NULL_CHECKS);
        }
}
