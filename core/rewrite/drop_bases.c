/* drop_bases.c - bases=none: what LLVM's GarbageCollection document says of coreclr, for collectors that find an object
 * by any pointer into it. Each relocation of a derived pointer names that pointer as its own base, and what was
 * relocated as a base only is relocated no more. The module's own statepoints stay as they are. */
#include "base.h"
#include "deviations.h"
#include "ir.h"
#include "rewrite.h"
#include "set.h"
#include "steps.h"

#include <string.h>

enum { TOKEN, BASE, DERIVED };

/* The statepoint of a relocation: its token, or the invoke whose landing pad the token is; NULL if there is
 * none. */
static LLVMValueRef dropped_statepoint_of(LLVMValueRef relocation) {
    LLVMValueRef token = LLVMGetOperand(relocation, TOKEN);
    if (!LLVMIsALandingPadInst(token))
        return token;
    LLVMBasicBlockRef pad = LLVMGetInstructionParent(token);
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(pad)); use; use = LLVMGetNextUse(use))
        if (LLVMIsAInvokeInst(LLVMGetUser(use)))
            return LLVMGetUser(use);
    return NULL;
}

/* Adds CALL to the set in ARG if it is a relocation of a statepoint that the module did not write itself. */
static int is_droppable(LLVMValueRef call) {
    LLVMValueRef statepoint = is_relocate(call) ? dropped_statepoint_of(call) : NULL;
    return statepoint && !call_has_reason(statepoint, "explicit");
}

/* 1 if the relocation is of a base, nothing uses it, and another of the same statepoint has that base: then that
 * one keeps the object alive. */
static int is_base_alone(LLVMValueRef r) {
    LLVMValueRef index = LLVMGetOperand(r, DERIVED);
    if (LLVMGetFirstUse(r) || LLVMGetOperand(r, BASE) != index)
        return 0;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMGetOperand(r, TOKEN)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef other = LLVMGetUser(use);
        if (LLVMIsACallInst(other) && is_relocate(other) && LLVMGetOperand(other, BASE) == index &&
            LLVMGetOperand(other, DERIVED) != index)
            return 1;
    }
    return 0;
}

/* With bases=none, makes each derived pointer its own base in its relocation, and deletes relocations of bases
 * that nothing uses. */
sm_status bases_drop(struct compile *c) {
    struct set result = {0}, alone = {0};
    if (c->options->bases == SM_BASES_EXACT)
        return SM_OK;
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_droppable(call))
            set_add_again(&result, call);
    for (size_t i = 0; i < result.count; i++)
        if (is_base_alone(result.item[i]))
            set_add_again(&alone, result.item[i]);
    for (size_t i = 0; i < result.count; i++)
        LLVMSetOperand(result.item[i], BASE, LLVMGetOperand(result.item[i], DERIVED));
    for (size_t i = 0; i < alone.count; i++)
        LLVMInstructionEraseFromParent(alone.item[i]);
    if (result.count != 0)
        deviate(c, DEVIATION_NO_BASES);
    set_free(&result);
    set_free(&alone);
    return SM_OK;
}
