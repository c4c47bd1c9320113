/* shuffle_bases.c - vectors of references that repeat an element of a shuffle's second operand.
 *
 * LLVM's rewrite asks whether a shuffle repeats the first element of one operand, and then gives the vector of bases
 * only the first operand (RewriteStatepointsForGC.cpp, findBasePointer; ShuffleVectorInst::isZeroEltSplat). If it is
 * the second one that is repeated, the bases are poison: roots of any value. So the operands of such shuffles change
 * places before. The optimiser would have done so itself; at opt=0 it does not run.
 *
 * No issue of LLVM's was found. tests/process/llvm19/shuffle_bases.ll fails when LLVM has repaired it.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

/* 1 if all elements of the shuffle's mask that are defined (not -1) are the first element of its second operand. */
static int repeats_second(LLVMValueRef shuffle) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(shuffle, 0));
    int lanes = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? (int)LLVMGetVectorSize(type) : 0, repeated = 0;
    for (unsigned i = 0; i < LLVMGetNumMaskElements(shuffle); i++) {
        int lane = LLVMGetMaskValue(shuffle, i);
        if (lane >= 0 && lane != lanes)
            return 0;
        repeated |= lane >= 0;
    }
    return lanes && repeated;
}

/* Replaces a shuffle that repeats its second operand's first element by one whose first operand that is. */
static void swap_operands(struct compile *c, LLVMValueRef shuffle) {
    LLVMValueRef from = LLVMGetOperand(shuffle, 1);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c->context);
    LLVMValueRef mask = LLVMConstNull(LLVMVectorType(i32, LLVMGetNumMaskElements(shuffle)));
    LLVMBuilderRef b = builder_at(shuffle);
    LLVMValueRef swapped = LLVMBuildShuffleVector(b, from, LLVMGetPoison(LLVMTypeOf(from)), mask, "");
    LLVMDisposeBuilder(b);
    replace_value(shuffle, swapped);
    deviate(c, DEVIATION_SPLATS);
}

/* Swaps the operands of all such shuffles of references. Requires a module before the rewrite. */
void splats_swap(struct compile *c) {
    assert(c->form == FORM_POLLED);
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (LLVMIsAShuffleVectorInst(i) && holds_reference(LLVMTypeOf(i)) && repeats_second(i))
                    swap_operands(c, i);
            }
    }
}
