/* deopt.c - calls of llvm.experimental.deoptimize, which never return.
 *
 * They stand before their function's return (LangRef). LLVM's place-safepoints may put an entry poll between the two;
 * one that branches takes the return away into another block, and the rewrite, which looks for it, dies
 * (RewriteStatepointsForGC.cpp, doReplacement). So the return is put back, and what is behind it is reached no more.
 */
#include "core.h"

#include <string.h>

int is_deoptimize(LLVMValueRef call) {
    const char *name = intrinsic_name(call);
    return name && strncmp(name, "llvm.experimental.deoptimize.", 29) == 0;
}

static int any_phi_behind(LLVMValueRef end) {
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetSuccessor(end, i))))
            return 1;
    return 0;
}

static void put_return_back(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!is_statepoint_gc(LLVMGetGC(f)) || !is_deoptimize(call) || !end || LLVMIsAReturnInst(end) ||
        any_phi_behind(end))
        return;
    LLVMInstructionEraseFromParent(end);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderAtEnd(b, block);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, call);
    LLVMDisposeBuilder(b);
    c->polls_of_ours = 1; /* LLVM's own tools do not do it */
    remark(c, "place-safepoints", f, "no poll behind a call of llvm.experimental.deoptimize, which does not return");
}

void deopt_mend(struct compile *c) {
    visit_module_calls(c->module, put_return_back, c);
}
