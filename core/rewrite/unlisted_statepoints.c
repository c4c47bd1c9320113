/* unlisted_statepoints.c - statepoints of the module's own, as the rewrite wants them.
 *
 * To LLVM's optimiser gc.result and gc.relocate are pure functions of a statepoint's token: it moves them down to where
 * they are used, past calls that become statepoints later. There the rewrite would not see that the reference is
 * alive, and no record would have it. So each one goes back to its statepoint: behind the call or the landing pad,
 * or to the beginning of the block where an invoke goes on.
 *
 * LLVM's documents of 2015 and 2017 have frontends write statepoints without gc arguments, and
 * rewrite-statepoints-for-gc complete them; since LLVM 7 that pass takes calls alone. So in a function with
 * references such a statepoint becomes the call that it stands for, with attributes that give the rewrite its id, its
 * patch bytes and its flags: what comes out is the statepoint with its live list and the relocations.
 *
 * Marked before the optimiser, completed before the rewrite.
 */
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "roots.h"
#include "steps.h"

#include <stdio.h>

enum { CALLEE = 2, COUNT, FLAGS, ARGUMENTS, TRANSITION = 1, DEOPT_LIVE_IN = 2 };

/* 1 if the callee is a leaf or an intrinsic: a plain call of it would not become a statepoint again. */
static int calls_leaf(LLVMValueRef callee) {
    return LLVMIsAFunction(callee) && (is_leaf_function(callee) || starts_with(value_name(callee), "llvm."));
}

/* 1 if CALL is a statepoint with an empty "gc-live" list that may be rebuilt as a plain call. */
static int lists_nothing(LLVMValueRef call) {
    return is_statepoint(call) && statepoint_callee_type(call) && call_bundle_size(call, "gc-live") == 0 &&
           !is_leaf_call(call) && !calls_leaf(LLVMGetOperand(call, CALLEE));
}

/* Sets the call's attribute NAME to VALUE in decimal. */
static void set_number_attribute(struct compile *c, LLVMValueRef call, const char *name, unsigned long long value) {
    char text[24];
    snprintf(text, sizeof text, "%llu", value);
    set_call_attribute(c->context, call, name, text);
}

/* Replaces the gc.result calls of STATEPOINT by CALL, with their attributes. Requires that it has no other users. */
static void replace_results(LLVMValueRef statepoint, LLVMValueRef call) {
    for (LLVMUseRef use; (use = LLVMGetFirstUse(statepoint)) != NULL;) {
        LLVMValueRef result = LLVMGetUser(use);
        call_copy_attributes(result, LLVMAttributeReturnIndex, call, LLVMAttributeReturnIndex);
        replace_value(result, call);
    }
}

/* 1 if all users of STATEPOINT are gc.result. */
static int has_results_only(LLVMValueRef statepoint) {
    for (LLVMUseRef use = LLVMGetFirstUse(statepoint); use; use = LLVMGetNextUse(use))
        if (!is_result(LLVMGetUser(use)))
            return 0;
    return 1;
}

/* Builds before the statepoint OLD the call of N arguments that it stands for, with its "deopt" and "gc-transition"
 * bundles. ARGS: room for N. */
static LLVMValueRef build_plain_call(LLVMValueRef old, unsigned n, LLVMValueRef *args) {
    LLVMOperandBundleRef bundles[2];
    struct call_parts p = {.type = statepoint_callee_type(old),
                           .callee = LLVMGetOperand(old, CALLEE),
                           .args = args,
                           .arg_count = n,
                           .bundles = bundles};
    for (unsigned i = 0; i < n; i++)
        args[i] = LLVMGetOperand(old, ARGUMENTS + i);
    for (int i = 0; i < 2; i++) {
        LLVMOperandBundleRef b = call_bundle(old, i ? "gc-transition" : "deopt");
        if (!b && i && LLVMConstIntGetZExtValue(LLVMGetOperand(old, FLAGS)) & TRANSITION)
            b = LLVMCreateOperandBundle("gc-transition", 13, NULL, 0); /* without operands, the flag alone says it */
        if (b)
            bundles[p.bundle_count++] = b;
    }
    LLVMValueRef call = call_build(old, &p);
    for (unsigned i = 0; i < p.bundle_count; i++)
        LLVMDisposeOperandBundle(bundles[i]);
    for (unsigned i = 0; i < n; i++)
        call_copy_attributes(old, ARGUMENTS + i + 1, call, i + 1);
    return call;
}

/* Replaces the statepoint OLD by a plain call, whose attributes give the rewrite its id, patch bytes and flags. */
static void complete_statepoint(struct compile *c, LLVMValueRef old) {
    unsigned n = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(old, COUNT));
    assert(ARGUMENTS + n <= LLVMGetNumArgOperands(old)); /* the verifier has looked */
    LLVMValueRef *args = xcalloc(n + 1, sizeof *args);
    LLVMValueRef call = build_plain_call(old, n, args);
    free(args);
    set_number_attribute(c, call, "statepoint-id", LLVMConstIntGetZExtValue(LLVMGetOperand(old, 0)));
    set_number_attribute(c, call, "statepoint-num-patch-bytes", LLVMConstIntGetZExtValue(LLVMGetOperand(old, 1)));
    if (LLVMConstIntGetZExtValue(LLVMGetOperand(old, FLAGS)) & DEOPT_LIVE_IN)
        set_call_attribute(c->context, call, "deopt-lowering", "live-in");
    set_call_attribute(c->context, call, REASON_ATTRIBUTE, "explicit");
    replace_results(old, call);
    LLVMInstructionEraseFromParent(old);
    deviate(c, DEVIATION_COMPLETES);
}

/* ---- Which ones ---------------------------------------------------------------------------------------------- */

/* Replaces the marked statepoints of F by plain calls, if F has references. */
static void complete_function(struct compile *c, LLVMValueRef f) {
    struct set match = {0};
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        if (call_attribute(call, UNLISTED_ATTRIBUTE)) {
            remove_call_attribute(call, UNLISTED_ATTRIBUTE);
            set_add(&match, call);
        }
    for (size_t i = 0; i < match.count && has_references(f); i++)
        complete_statepoint(c, match.item[i]);
    set_free(&match);
}

/* ---- Results and relocations ----------------------------------------------------------------------------------- */

/* The invoke that goes on in BLOCK, if nothing else leads there; else NULL. */
static LLVMValueRef invoke_before(LLVMBasicBlockRef block) {
    LLVMValueRef user = only_edge_to(block);
    return user && LLVMIsAInvokeInst(user) && LLVMGetNormalDest(user) == block ? user : NULL;
}

/* The instruction before which the projections of TOKEN belong; NULL if TOKEN is no statepoint and no landing pad, or an
 * invoke that goes on where others do. */
static LLVMValueRef after_token(LLVMValueRef token) {
    if (LLVMIsAInvokeInst(token))
        return invoke_before(LLVMGetNormalDest(token)) ? past_phis(LLVMGetNormalDest(token)) : NULL;
    return LLVMIsALandingPadInst(token) || LLVMIsACallInst(token) ? LLVMGetNextInstruction(token) : NULL;
}

/* Adds the projections in BLOCK to FAR that do not stand behind their token, among others at most. */
static void collect_far(LLVMBasicBlockRef block, struct set *far) {
    LLVMValueRef token = invoke_before(block);
    for (LLVMValueRef i = past_phis(block); i; i = LLVMGetNextInstruction(i))
        if (!is_relocate(i) && !is_result(i))
            token = i;
        else if (LLVMGetOperand(i, 0) != token && after_token(LLVMGetOperand(i, 0)))
            set_add(far, i);
}

/* Moves the projections of F that are somewhere else to their tokens, in their order. */
static void take_back_projections(struct compile *c, LLVMValueRef f) {
    struct set far = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        collect_far(b, &far);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (size_t i = 0; i < far.count; i++) {
        LLVMPositionBuilderBefore(b, after_token(LLVMGetOperand(far.item[i], 0)));
        LLVMInstructionRemoveFromParent(far.item[i]);
        LLVMInsertIntoBuilder(b, far.item[i]);
        deviate(c, DEVIATION_LOOKS_THROUGH);
    }
    LLVMDisposeBuilder(b);
    set_free(&far);
}

/* ---------------------------------------------------------------------------------------------------------------- */

/* Takes results and relocations back to their statepoints, and replaces all marked statepoints by calls, so that the
 * rewrite completes them. After the optimiser. */
sm_status statepoints_complete(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        take_back_projections(c, f);
        complete_function(c, f);
    }
    return SM_OK;
}

/* Marks the statepoints that came without a list. Before the optimiser, which may empty lists of others; those stay
 * as they are. */
sm_status statepoints_mark_unlisted(struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_statepoint_gc(LLVMGetGC(function_of(call))) && lists_nothing(call) && has_results_only(call))
            set_call_attribute(c->context, call, UNLISTED_ATTRIBUTE, "");
    return SM_OK;
}
