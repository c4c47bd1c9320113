/* deopt.c - deoptimisation: calls that never return. (The values that calls say their frame has: deopt_state.c.)
 *
 * Calls of llvm.experimental.deoptimize stand before their function's return (LangRef). LLVM's place-safepoints may
 * put an entry poll between the two; one that branches takes the return away into another block, and the rewrite,
 * which looks for it, dies (RewriteStatepointsForGC.cpp, doReplacement). So the return is put back, and what is after
 * it is reached no more.
 *
 * The optimiser is kept from taking the return away.
 */
#include "core.h"
#include "set.h"

#include <assert.h>
#include <string.h>

/* 1 if CALL is of llvm.experimental.deoptimize. */
int is_deoptimize(LLVMValueRef call) {
    return is_intrinsic(call, "llvm.experimental.deoptimize.");
}

/* LLVM makes loops of recursion, and would choose after a deoptimization between what it and an earlier round return
 * (TailRecursionElimination.cpp): then nothing returns its value, and the rewrite dies. This attribute of LLVM's
 * keeps it from that; ours remembers which functions were given it. */
#define NO_TAIL_CALLS "disable-tail-calls"
#define KEPT_CALLS    "smd-kept-calls"

/* Visitor: notes in c->deoptimizes a deoptimization in a function with statepoints. */
static void note_deoptimization(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    c->deoptimizes |= is_statepoint_gc(LLVMGetGC(f)) && is_deoptimize(call);
}

/* Before the optimiser, if anything deoptimizes: forbids making loops of recursion, which would take the return of
 * its value away. */
void deopt_keep(struct compile *c) {
    visit_module_calls(c->module, note_deoptimization, c);
    if (!c->deoptimizes)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !is_statepoint_gc(LLVMGetGC(f)) || text_attribute(f, NO_TAIL_CALLS))
            continue;
        set_text_attribute(c->context, f, NO_TAIL_CALLS, "true");
        set_text_attribute(c->context, f, KEPT_CALLS, "");
    }
}

/* Removes the attributes that deopt_keep added. */
void deopt_release(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (!text_attribute(f, KEPT_CALLS))
            continue;
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, NO_TAIL_CALLS, sizeof NO_TAIL_CALLS - 1);
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, KEPT_CALLS, sizeof KEPT_CALLS - 1);
    }
}

/* 1 if a successor of the terminator END begins with a phi. */
static int any_phi_behind(LLVMValueRef end) {
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetSuccessor(end, i))))
            return 1;
    return 0;
}

/* Visitor: makes the block of a deoptimization end with the return of its value again, where a poll was placed
 * between the two. */
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
    deviate(c, DEVIATION_OWN_POLLS); /* LLVM's own tools do not do it */
    remark(c, "place-safepoints", f, "no poll behind a call of llvm.experimental.deoptimize, which does not return");
}

/* Puts back the returns of all deoptimizations. After polls are placed. */
void deopt_mend(struct compile *c) {
    visit_module_calls(c->module, put_return_back, c);
}

/* ---- Derived pointers ---- */

/* 1 if the getelementptr has an index that is not 0. */
static int leads_elsewhere(LLVMValueRef gep) {
    for (int i = 1; i < LLVMGetNumOperands(gep); i++)
        if (!LLVMIsNull(LLVMGetOperand(gep, (unsigned)i)))
            return 1;
    return 0;
}

/* The statepoint whose token, or landing pad, TOKEN is; NULL if that is not clear. */
static LLVMValueRef statepoint_of(LLVMValueRef token) {
    if (!LLVMIsALandingPadInst(token))
        return is_statepoint(token) ? token : NULL;
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(LLVMGetInstructionParent(token)));
    LLVMValueRef invoke = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    return invoke && is_statepoint(invoke) ? invoke : NULL;
}

/* Adds to ALL what V is the relocation of, if it has another base; 1 if that is not clear. */
static int look_behind_relocation(struct set *all, LLVMValueRef v) {
    enum { TOKEN, BASE, DERIVED };
    LLVMValueRef statepoint = statepoint_of(LLVMGetOperand(v, TOKEN));
    if (LLVMGetOperand(v, BASE) == LLVMGetOperand(v, DERIVED))
        return 0;
    LLVMOperandBundleRef list = statepoint ? call_bundle(statepoint, "gc-live") : NULL;
    if (!list)
        return 1;
    set_add(all,
            LLVMGetOperandBundleArgAtIndex(list, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(v, DERIVED))));
    LLVMDisposeOperandBundle(list);
    return 0;
}

/* Adds to ALL the pointers that V may be; 1 if V is derived from another one, by a getelementptr or as relocated. */
static int look_behind(struct set *all, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v))
        return 0;
    if (is_relocate(v))
        return look_behind_relocation(all, v);
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMGetElementPtr:
        if (leads_elsewhere(v))
            return 1;
        break;
    case LLVMBitCast:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMInsertElement:
    case LLVMExtractElement:
    case LLVMShuffleVector:
        break;
    default:
        return 0;
    }
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (holds_reference(LLVMTypeOf(LLVMGetOperand(v, (unsigned)i))))
            set_add(all, LLVMGetOperand(v, (unsigned)i));
    return 0;
}

/* 1 if V may be derived: a getelementptr leads to it, also by way of phis, selects and casts. Out of memory is a
 * diagnostic. */
int is_derived(struct compile *c, LLVMValueRef v) {
    struct set all = {0};
    int derived = 0;
    set_add(&all, v);
    for (size_t i = 0; i < all.count && !derived; i++)
        derived = look_behind(&all, all.item[i]);
    if (all.failed)
        fail(c, SM_NOMEM, NULL, "Out of memory");
    set_free(&all);
    return derived;
}

/* 1 if the block of CALL ends with its return, and nothing else than returns uses it. */
static int is_returned(LLVMValueRef call) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(call));
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use))
        if (!LLVMIsAReturnInst(LLVMGetUser(use)))
            return 0;
    return end && LLVMIsAReturnInst(end) && (LLVMGetNumOperands(end) == 0 || LLVMGetOperand(end, 0) == call);
}

/* Visitor: refuses a deoptimization that is not returned. */
static void check_deoptimization(void *arg, LLVMValueRef f, LLVMValueRef call) {
    if (is_statepoint_gc(LLVMGetGC(f)) && is_deoptimize(call) && !is_returned(call))
        fail(arg, SM_CANNOT_REWRITE, f,
             "What a call of llvm.experimental.deoptimize gives is not what its block returns; try opt=0");
}

/* Refuses deoptimizations that the rewrite cannot handle. Requires polls placed. */
sm_status deopt_check(struct compile *c) {
    assert(c->form == FORM_POLLED);
    visit_module_calls(c->module, check_deoptimization, c);
    return c->errors ? SM_CANNOT_REWRITE : SM_OK;
}
