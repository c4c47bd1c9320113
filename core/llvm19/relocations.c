/* relocations.c - relocations that nobody uses are recorded, wherever they stand; constants are not relocated.
 *
 * The first say what a statepoint's record has to report. Before an unreachable, as after a call that throws or
 * deoptimizes, AArch64's code generation takes away what has no effect (it simplifies control flow, SimplifyCFG.cpp),
 * and the references were in no record. A trap, which does not come back, keeps what stands before it.
 *
 * Constants (null, an immediate number as a reference) never move. Of a phi or select of constants alone LLVM's
 * rewrite makes a root at some statepoints, and none at others: what joins it with more constants has a constant for
 * its base. Then that would be computed from a relocated value, and not be relocated itself. So such a value is used
 * as it was.
 *
 * No issue of LLVM's was found. tests/process/llvm19/relocations.ll fails when it records the first.
 */
#include "base.h"
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "set.h"
#include "state.h"

#include <assert.h>
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

/* ---- Constants -------------------------------------------------------------------------------------------------- */

/* What the relocation is of; NULL if that is not clear. */
static LLVMValueRef relocated_value(LLVMValueRef relocation) {
    enum { DERIVED = 2 };
    LLVMValueRef statepoint = statepoint_of_token(LLVMGetOperand(relocation, 0)), v = NULL;
    LLVMOperandBundleRef list = statepoint ? call_bundle(statepoint, "gc-live") : NULL;
    unsigned long long at = LLVMConstIntGetZExtValue(LLVMGetOperand(relocation, DERIVED));
    if (list && at < LLVMGetNumOperandBundleArgs(list))
        v = LLVMGetOperandBundleArgAtIndex(list, (unsigned)at);
    if (list)
        LLVMDisposeOperandBundle(list);
    return v;
}

/* 1 if V is a phi or a select of constants alone, seen through phis, selects and relocations. */
static int joins_constants(LLVMValueRef v) {
    struct set all = {0};
    int constants = LLVMIsAPHINode(v) || LLVMIsASelectInst(v);
    set_add(&all, v);
    for (size_t i = 0; constants && i < all.count; i++) {
        LLVMValueRef at = all.item[i], of = is_relocate(at) ? relocated_value(at) : NULL;
        if (LLVMIsAConstant(at))
            continue;
        if (of)
            set_add(&all, of);
        flow_sources(&all, at, FLOW_CHOICE);
        constants = of || LLVMIsAPHINode(at) || LLVMIsASelectInst(at);
    }
    set_free(&all);
    return constants;
}

/* 1 if a phi or a select uses V. */
static int is_joined(LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (LLVMIsAPHINode(LLVMGetUser(u)) || LLVMIsASelectInst(LLVMGetUser(u)))
            return 1;
    return 0;
}

/* Visitor: what uses the relocation of constants that are joined with others uses them as they were. A value that is
 * computed from more than constants is not concerned. */
static void use_as_it_was(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    LLVMValueRef v =
        is_relocate(call) && is_joined(call) && is_statepoint_gc(LLVMGetGC(f)) ? relocated_value(call) : NULL;
    if (!v || !joins_constants(v))
        return;
    LLVMReplaceAllUsesWith(call, v);
    deviate(c, DEVIATION_CONSTANTS);
}

/* Has phis and selects of constants alone used as they are, where others join them. Requires the rewritten module. */
sm_status constants_stay(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    visit_module_calls(c->module, use_as_it_was, c);
    return SM_OK;
}
