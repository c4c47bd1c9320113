/* drop_relocations.c - relocations that nobody needs are dropped.
 *
 * elide=arguments: LLVM's rewrite lists the arguments of a call, though nobody uses them after it. Where the callee is
 * a function of the module, its own records have its parameters for as long as it uses them.
 *
 * bases=none: what LLVM's GarbageCollection document says of coreclr, for collectors that find an object
 * by any pointer into it. Each relocation of a derived pointer names that pointer as its own base, and what was
 * relocated as a base only is relocated no more. The module's own statepoints stay as they are. */
#include "deviations.h"
#include "ir.h"
#include "safepoints.h"
#include "steps.h"

/* The statepoint of a relocation: its token, or the invoke whose landing pad the token is; NULL if there is
 * none. */
static LLVMValueRef dropped_statepoint_of(LLVMValueRef relocation) {
    LLVMValueRef token = LLVMGetOperand(relocation, RELOCATE_TOKEN);
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

/* 1 if the statepoint of R, the relocation of an object's address, relocates what is derived from that, or, with SAME, the
 * address a second time. */
static int has_other(LLVMValueRef r, int same) {
    LLVMValueRef index = LLVMGetOperand(r, RELOCATE_DERIVED);
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMGetOperand(r, RELOCATE_TOKEN)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef other = LLVMGetUser(use);
        if (other == r || !is_relocate(other))
            continue;
        if (LLVMGetOperand(other, RELOCATE_DERIVED) == index ? same : LLVMGetOperand(other, RELOCATE_BASE) == index)
            return 1;
    }
    return 0;
}

/* 1 if R relocates an object's own address, and nothing uses it. */
static int is_unused_base(LLVMValueRef r) {
    return is_relocate(r) && !LLVMGetFirstUse(r) &&
           LLVMGetOperand(r, RELOCATE_BASE) == LLVMGetOperand(r, RELOCATE_DERIVED);
}

/* ---- Arguments that only the callee uses -------------------------------------------------------------------------- */

enum { ID, PATCH_BYTES, CALLEE, ARGUMENTS, FIRST_ARGUMENT = 5 }; /* of a statepoint */

/* The relocations to drop, and the callees that were looked at. */
struct arguments {
    const struct compile *c;
    struct set dropped, keepers, others; /* owned */
};

/* 1 if F's own records have its parameters as long as it uses them: no call that it makes takes its place, and no code of
 * the runtime's runs before its own. */
static int has_records_of_its_own(const struct compile *c, LLVMValueRef f) {
    static const char *const before[] = {"split-stack",
                                         "patchable-function",
                                         "patchable-function-entry",
                                         "fentry-call",
                                         "function-instrument",
                                         "xray-instruction-threshold",
                                         "instrument-function-entry",
                                         "instrument-function-entry-inlined"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (text_attribute(f, before[i]))
            return 0;
    return function_has_statepoints(f) && is_exact(c, f) && !any_call(f, is_musttail) &&
           !function_attribute(f, "naked") && !function_attribute(f, "presplitcoroutine");
}

/* The same, found out once for F. */
static int keeps_parameters(struct arguments *a, LLVMValueRef f) {
    if (!LLVMIsAFunction(f))
        return 0;
    if (!set_has(&a->keepers, f) && !set_has(&a->others, f))
        set_add(has_records_of_its_own(a->c, f) ? &a->keepers : &a->others, f);
    return set_has(&a->keepers, f);
}

/* 1 if nobody looks the statepoint's record up for the arguments of its call, or puts another callee in its place. */
static int is_plain_site(LLVMValueRef statepoint) {
    const unsigned long long no_id = 0xABCDEF00;
    return LLVMIsACallInst(statepoint) && !call_has_reason(statepoint, "explicit") &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(statepoint, ID)) == no_id &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(statepoint, PATCH_BYTES)) == 0;
}

/* 1 if V is an argument of the statepoint's call, for a parameter that is a reference, too. */
static int is_argument(LLVMValueRef statepoint, LLVMValueRef v) {
    LLVMValueRef callee = LLVMGetOperand(statepoint, CALLEE);
    unsigned n = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(statepoint, ARGUMENTS));
    for (unsigned i = 0; n == LLVMCountParams(callee) && i < n; i++)
        if (LLVMGetOperand(statepoint, FIRST_ARGUMENT + i) == v && is_reference(LLVMGetParam(callee, i)))
            return 1;
    return 0;
}

/* 1 if R relocates an object's address that is an argument, and that nobody uses after the call. */
static int is_of_argument(struct arguments *a, LLVMValueRef r) {
    if (!is_unused_base(r))
        return 0;
    LLVMValueRef statepoint = LLVMGetOperand(r, RELOCATE_TOKEN);
    if (!is_statepoint(statepoint) || !is_plain_site(statepoint) ||
        !keeps_parameters(a, LLVMGetOperand(statepoint, CALLEE)))
        return 0;
    LLVMValueRef v = relocate_names(r, RELOCATE_DERIVED, statepoint);
    return v && is_argument(statepoint, v) && !has_other(r, 1);
}

/* Drops the relocations of arguments that only their callees use. Not where the module says itself what a record
 * has: by statepoints, bundles, or roots with scopes. */
static void arguments_drop(struct compile *c) {
    struct arguments a = {.c = c};
    if (!(c->options->elide & SM_ELIDE_ARGUMENTS) || c->options->opt == SM_OPT_0 ||
        c->has & (HAS_STATEPOINTS | HAS_BUNDLES | HAS_SCOPES))
        return;
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_of_argument(&a, call))
            set_add_again(&a.dropped, call);
    for (size_t i = 0; i < a.dropped.count; i++)
        LLVMInstructionEraseFromParent(a.dropped.item[i]);
    if (a.dropped.count != 0)
        deviate(c, DEVIATION_ARGUMENTS);
    set_free(&a.dropped);
    set_free(&a.keepers);
    set_free(&a.others);
}

/* ---- Bases ---------------------------------------------------------------------------------------------------------- */

/* Drops relocations of arguments that only their callees use. With bases=none, makes each derived pointer its own base in
 * its relocation, and deletes relocations of bases that nothing uses. */
sm_status bases_drop(struct compile *c) {
    struct set result = {0}, alone = {0};
    arguments_drop(c);
    if (c->options->bases == SM_BASES_EXACT)
        return SM_OK;
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_droppable(call))
            set_add_again(&result, call);
    for (size_t i = 0; i < result.count; i++)
        if (is_unused_base(result.item[i]) && has_other(result.item[i], 0)) /* which keeps the object alive */
            set_add_again(&alone, result.item[i]);
    for (size_t i = 0; i < result.count; i++)
        LLVMSetOperand(result.item[i], RELOCATE_BASE, LLVMGetOperand(result.item[i], RELOCATE_DERIVED));
    for (size_t i = 0; i < alone.count; i++)
        LLVMInstructionEraseFromParent(alone.item[i]);
    if (result.count != 0)
        deviate(c, DEVIATION_NO_BASES);
    set_free(&result);
    set_free(&alone);
    return SM_OK;
}
