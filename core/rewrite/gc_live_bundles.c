/* gc_live_bundles.c - "gc-live" on ordinary calls: what it lists is in the list of the statepoint that the call becomes.
 *
 * LLVM's rewrite makes a list of its own, of the references that are alive, and forgets the call's. So after such a
 * call stands, for the time of the rewrite, a call of a marker with all that was listed: references are alive there,
 * and get their relocations. Then the statepoint is built anew with the stack slots, and the marker is gone. A
 * relocation that nobody uses is still recorded.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "marks.h"
#include "steps.h"

#define NO_RETURN "noreturn"

/* ---- Before the rewrite -------------------------------------------------------------------------------------- */

/* Hides from LLVM's rewrite that CALL does not return: the rewrite removes what comes after such a call (Local.cpp's
 * removeUnreachableBlocks), and that is the marker. The callee has the attribute again in the end; the statepoint would
 * not have had the callee's. */
static void hide_no_return(struct compile *c, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    remove_call_enum_attribute(call, NO_RETURN);
    if (!LLVMIsAFunction(callee) || !function_attribute(callee, NO_RETURN))
        return;
    remove_function_attribute(callee, NO_RETURN);
    set_text_attribute(c->context, callee, NO_RETURN_ATTRIBUTE, "");
}

/* Puts after the call a marker with all that its "gc-live" lists, so that references are alive there and LLVM's
 * rewrite relocates them. */
static void mark_call(struct compile *c, LLVMValueRef call) {
    struct operands list = call_operands(call, "gc-live");
    struct set args = {0};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), NULL, 0, 1);
    for (unsigned i = list.first; i < list.end; i++)
        set_add_again(&args, LLVMGetOperand(call, i));
    leaf_call_before(after_call(call), declared_function(c->module, LISTED, type), (LLVMValueRef *)args.item,
                     (unsigned)args.count);
    hide_no_return(c, call);
    set_free(&args);
    deviate(c, DEVIATION_TAKES_REGIONS);
}

/* 1 if the call will be a statepoint and has "gc-live" operands. */
static int has_list(const struct compile *c, LLVMValueRef call) {
    return (!intrinsic_name(call) || is_deoptimize(call)) && is_safepoint(c, call) &&
           call_bundle_size(call, "gc-live") > 0;
}

/* Puts markers after all calls with "gc-live" operands. Before the rewrite. */
sm_status regions_mark(struct compile *c) {
    struct set calls = {0};
    int crowded = 0; /* boolean: after an invoke among them is a block with other predecessors */
    sm_status s = SM_OK;
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_statepoint_gc(LLVMGetGC(function_of(call))) && has_list(c, call)) {
            set_add(&calls, call);
            crowded |= !after_call(call);
        }
    if (crowded)
        s = run_passes(c, "function(break-crit-edges)");
    for (size_t i = 0; s == SM_OK && i < calls.count; i++)
        mark_call(c, calls.item[i]);
    set_free(&calls);
    return s == SM_OK && c->errors ? SM_CANNOT_REWRITE : s;
}

/* ---- After it ------------------------------------------------------------------------------------------------ */

/* The block's only predecessor, if it ends in an unconditional branch or an invoke; NULL otherwise. */
static LLVMBasicBlockRef block_before(LLVMBasicBlockRef block) {
    LLVMValueRef end = only_edge_to(block);
    if (!end || (!LLVMIsAInvokeInst(end) && (!LLVMIsABranchInst(end) || LLVMIsConditional(end))))
        return NULL;
    return LLVMGetInstructionParent(end);
}

/* The statepoint that the marker I is for: between them are only relocations and results. Searches predecessors as
 * well, as an invoke that throws nothing may have become a call and a branch. NULL if there is none. */
static LLVMValueRef statepoint_before(const struct compile *c, LLVMValueRef i) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    LLVMValueRef at = LLVMGetPreviousInstruction(i);
    while (at || block) {
        for (; at; at = LLVMGetPreviousInstruction(at))
            if (is_safepoint(c, at))
                return at;
        block = block_before(block);
        at = block ? LLVMGetLastInstruction(block) : NULL;
    }
    return NULL;
}

/* Builds the statepoint OLD again with LIVE as its list, keeping its other bundles and attributes. OLD stays. */
static LLVMValueRef rebuild_with_list(LLVMValueRef old, LLVMOperandBundleRef live) {
    unsigned n = LLVMGetNumArgOperands(old);
    LLVMValueRef callee = LLVMGetCalledValue(old), *args = xcalloc(n + 1, sizeof *args);
    LLVMOperandBundleRef bundles[3] = {live};
    struct call_parts p = {LLVMGetCalledFunctionType(old), callee, args, n, bundles, 1, 0};
    static const char *const others[] = {"deopt", "gc-transition"};
    for (int i = 0; i < 2; i++) {
        LLVMOperandBundleRef b = call_bundle(old, others[i]);
        if (b)
            bundles[p.bundle_count++] = b;
    }
    for (unsigned i = 0; i < n; i++)
        args[i] = LLVMGetOperand(old, i);
    LLVMValueRef created = call_build(old, &p);
    for (unsigned i = 0; i < n; i++)
        call_copy_attributes(old, i + 1, created, i + 1);
    for (unsigned i = 1; i < p.bundle_count; i++)
        LLVMDisposeOperandBundle(bundles[i]);
    free(args);
    return created;
}

/* Replaces the statepoint by one that lists also what the marker FROM has beside references. */
static void extend(LLVMValueRef statepoint, LLVMValueRef from) {
    struct operands list = call_operands(statepoint, "gc-live");
    struct set all = {0};
    for (unsigned i = list.first; i < list.end; i++)
        set_add_again(&all, LLVMGetOperand(statepoint, i));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(from); i++)
        if (!holds_reference(LLVMTypeOf(LLVMGetOperand(from, i))))
            set_add_again(&all, LLVMGetOperand(from, i));
    LLVMOperandBundleRef live = LLVMCreateOperandBundle("gc-live", 7, (LLVMValueRef *)all.item, (unsigned)all.count);
    call_replace(statepoint, rebuild_with_list(statepoint, live));
    LLVMDisposeOperandBundle(live);
    set_free(&all);
}

/* Gives functions that do not return their attribute again. */
static void show_no_return(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (text_attribute(f, NO_RETURN_ATTRIBUTE)) {
            remove_text_attribute(f, NO_RETURN_ATTRIBUTE);
            set_function_attribute(f, NO_RETURN);
        }
}

/* Moves what the markers list into their statepoints' lists, and removes the markers. Requires the rewritten
 * module. */
sm_status regions_take(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    LLVMValueRef f = LLVMGetNamedFunction(c->module, LISTED);
    if (!has_deviated(c, DEVIATION_TAKES_REGIONS) || !f)
        return SM_OK;
    struct set done = {0};
    sm_status s = SM_OK;
    for (LLVMUseRef use; (use = LLVMGetFirstUse(f)) != NULL;) {
        LLVMValueRef call = LLVMGetUser(use), statepoint = statepoint_before(c, call);
        if (!statepoint) {
            s = fail(c, SM_INTERNAL, NULL, "A call with \"gc-live\" operands has become no statepoint");
            break;
        }
        relocations_keep(c, statepoint, &done);
        extend(statepoint, call);
        LLVMInstructionEraseFromParent(call);
    }
    set_free(&done);
    show_no_return(c);
    if (s == SM_OK)
        LLVMDeleteFunction(f);
    return s;
}
