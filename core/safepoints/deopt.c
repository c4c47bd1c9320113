/* deopt.c - deoptimisation: calls that never return. (The values that calls say their frame has: deopt_state.c.)
 *
 * Calls of llvm.experimental.deoptimize stand before their function's return (LangRef). LLVM's place-safepoints may
 * put an entry poll between the two; one that branches takes the return away into another block. The rewrite looks for
 * the return right behind the call, and dies (RewriteStatepointsForGC.cpp, doReplacement). So the return is put back,
 * and what is after it is reached no more.
 *
 * What the optimiser does to them: deopt_returns.c.
 */
#include "deviations.h"
#include "ir.h"
#include "placing.h"
#include "safepoints.h"

/* 1 if a successor of the terminator END begins with a phi. */
static int any_phi_after(LLVMValueRef end) {
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetSuccessor(end, i))))
            return 1;
    return 0;
}

/* Erases all that is behind CALL in its block. */
static void erase_after(LLVMBasicBlockRef block, LLVMValueRef call) {
    for (LLVMValueRef last; (last = LLVMGetLastInstruction(block)) != call;) {
        if (LLVMGetFirstUse(last)) /* where nothing comes any more */
            LLVMReplaceAllUsesWith(last, LLVMGetPoison(LLVMTypeOf(last)));
        LLVMInstructionEraseFromParent(last);
    }
}

/* Makes the block of a deoptimization end with the return of its value again, where a poll was placed between the
 * two. */
static void put_return_back(struct compile *c, LLVMValueRef call) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    LLVMValueRef f = LLVMGetBasicBlockParent(block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), next = LLVMGetNextInstruction(call);
    if (!is_statepoint_gc(LLVMGetGC(f)) || !end || (next && LLVMIsAReturnInst(next)) || any_phi_after(end))
        return;
    erase_after(block, call);
    LLVMBuilderRef b = builder_at_end(block);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, call);
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_OWN_POLLS); /* LLVM's own tools do not do it */
    remark(c, "place-safepoints", f, "no poll after a call of llvm.experimental.deoptimize, which does not return");
}

/* Puts back the returns of all deoptimizations. After polls are placed. */
void deopt_repair(struct compile *c) {
    struct set calls = {0};
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_deoptimize(call))
            set_add(&calls, call);
    for (size_t i = 0; i < calls.count; i++)
        put_return_back(c, calls.item[i]);
    set_free(&calls);
}
