/* rewrite.c - calls become statepoints (LLVM's rewrite-statepoints-for-gc): the list of steps around it. */
#include "rewrite.h"
#include "aggregates.h"
#include "encoded.h"
#include "ir.h"
#include "llvm19.h"
#include "marks.h"
#include "optimize.h"
#include "reference_layout.h"
#include "roots.h"
#include "safepoints.h"
#include "scopes.h"
#include "slots.h"
#include "steps.h"

/* What has no status to give. */
#define ALWAYS(name, function)                                                                                       \
    static sm_status name(struct compile *c) {                                                                       \
        function(c);                                                                                                 \
        return SM_OK;                                                                                                \
    }
ALWAYS(keep_library_names, library_keep)
ALWAYS(swap_shuffles, splats_swap)
ALWAYS(retype_pads, pads_retype)
ALWAYS(set_edges_apart, edges_set_apart)
ALWAYS(freeze_vectors, vectors_freeze)
ALWAYS(freeze_callees, callees_freeze)
ALWAYS(freeze_float_addresses, float_addresses_freeze)
ALWAYS(lower_masks, masks_lower)
ALWAYS(unmark_null_checks, null_checks_unmark)

/* Marks all statepoints that the module has itself with the reason "explicit". */
static sm_status mark_explicit_sites(struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_statepoint(call))
            set_call_attribute(c->context, call, REASON_ATTRIBUTE, "explicit");
    return SM_OK;
}

/* Makes statepoints of calls. Verifies the result as the option says. */
static sm_status rewrite_statepoints(struct compile *c) {
    static const char *const passes[] = {[SM_VERIFY_OFF] = "rewrite-statepoints-for-gc",
                                         [SM_VERIFY_IR] = "rewrite-statepoints-for-gc,verify",
                                         [SM_VERIFY_SAFEPOINTS] =
                                             "rewrite-statepoints-for-gc,verify,function(verify<safepoint-ir>)"};
    sm_buf_printf(&c->pipeline, ",%s", passes[c->options->verify]);
    sm_status s = run_passes(c, "rewrite-statepoints-for-gc");
    if (s == SM_OK)
        c->form = FORM_REWRITTEN;
    return s;
}

/* ---- Marks of last uses ---------------------------------------------------------------------------------------- */

/* 1 if V computes or chooses an address, and does nothing else. */
static int is_use_step(LLVMValueRef v) {
    return LLVMIsAPHINode(v) || LLVMIsASelectInst(v) || LLVMIsAGetElementPtrInst(v) || LLVMIsAFreezeInst(v) ||
           LLVMIsACastInst(v);
}

/* 1 if an instruction that is not in ALL uses V. */
static int is_used_beside(const struct set *all, LLVMValueRef v) {
    LLVMUseRef u = LLVMGetFirstUse(v);
    while (u && set_has(all, LLVMGetUser(u)))
        u = LLVMGetNextUse(u);
    return u != NULL;
}

/* Adds those of V's operands to ALL that are steps. */
static void add_use_steps(struct set *all, LLVMValueRef v) {
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (is_use_step(LLVMGetOperand(v, (unsigned)i)) && !set_has(all, LLVMGetOperand(v, (unsigned)i)))
            set_add(all, LLVMGetOperand(v, (unsigned)i));
}

/* Takes from ALL what others use, and what that is computed from. */
static void leave_used(struct set *all) {
    struct set used = {0};
    for (size_t i = 0; i < all->count; i++)
        if (is_used_beside(all, all->item[i]))
            set_add(&used, all->item[i]);
    for (size_t i = 0; i < used.count; i++)
        add_use_steps(&used, used.item[i]);
    for (size_t i = 0; i < all->count;)
        if (set_has(&used, all->item[i]))
            set_remove(all, i);
        else
            i++;
    set_free(&used);
}

/* Takes off the marks of last uses, which the rewrite has seen, and what is computed for them alone. Relocations stay,
 * and nobody uses them, so that code generation records them: it would drop one that only a phi uses which nobody
 * uses. */
static sm_status uses_release(struct compile *c) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, LAST_USE);
    struct set steps = {0}, done = {0};
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        relocations_keep(c, call, &done);
        add_use_steps(&steps, call);
        LLVMInstructionEraseFromParent(call);
    }
    for (size_t i = 0; i < steps.count; i++)
        add_use_steps(&steps, steps.item[i]);
    leave_used(&steps);
    for (size_t i = 0; i < steps.count; i++)
        LLVMReplaceAllUsesWith(steps.item[i], LLVMGetPoison(LLVMTypeOf(steps.item[i])));
    for (size_t i = 0; i < steps.count; i++)
        LLVMInstructionEraseFromParent(steps.item[i]);
    if (f)
        LLVMDeleteFunction(f);
    set_free(&steps);
    set_free(&done);
    return SM_OK;
}

/* Checks live lists that relocate nothing, if the option "verify" asks for safepoints. */
static sm_status check_lists(struct compile *c) {
    return c->options->verify == SM_VERIFY_SAFEPOINTS ? lists_check(c) : SM_OK;
}

/* The steps in their order. The file of a step says what it does. Here is why the order is as it is: what it requires
 * of the module, which the steps before it leave, and what it breaks for those after it. Names, kinds and contracts are
 * in /v1/capabilities; the option "after" takes the names.
 *
 * The steps before rewrite_statepoints make the module one that LLVM's rewrite reads rightly, and refuse what it would
 * misread, drop or crash at. Those after it complete the module with what the rewrite does not know of (slots, facts,
 * large results, compressed references), verify it, and repair what code generation would get wrong. */
#define STEP(function) #function, function
/* clang-format off */
enum { ANY = ~0 };
static const struct step {
    const char *name;
    sm_status (*run)(struct compile *c);
    enum {
        FEATURE, /* something of the input's becomes what the rewrite knows */
        REPAIR,  /* what LLVM would get wrong is avoided */
        CHECK,   /* what could not be right is refused, or warned of */
    } kind;
    unsigned of; /* bits HAS_… (ir/features.c): it does not run for a module that has none of them */
    const char *requires, *breaks; /* "": nothing */
} steps[] = {
    {STEP(scalable_check), CHECK, ANY, "", ""},
    {STEP(advise_spaces), CHECK, ANY, "the module's own values: nothing is in slots of smd's yet", ""},
    {STEP(advise_derived), CHECK, ANY, "the module's own values: nothing is in slots of smd's yet", ""},
    {STEP(statepoints_complete), FEATURE, HAS_STATEPOINTS, "", "every safepoint is listed: statepoints without a list become calls"},
    {STEP(undefined_to_null), REPAIR, ANY, "nothing is in slots of smd's yet: the collector reads them", ""},
    {STEP(tags_to_slots), FEATURE, ANY, "", "tagged references are values: they are in slots, which have scopes"},
    {STEP(gctypes_take), FEATURE, HAS_SLOTS | HAS_BUNDLES, "", "marks of types are in the module: they are noted beside it"},
    {STEP(spaces_to_slots), FEATURE, ANY, "", "compressed references are values: they are in slots, which have scopes"},
    {STEP(scopes_attach), FEATURE, HAS_SCOPES, "all scopes", "roots have scopes: they are in \"gc-live\" lists"},
    {STEP(stacks_report), FEATURE, HAS_SLOTS, "\"gc-live\" lists with all scoped slots", "every slot in a list has a scope"},
    {STEP(gctypes_apply), FEATURE, ANY, "complete \"gc-live\" lists", ""},
    {STEP(aggregates_split), FEATURE, HAS_AGGREGATES, "", "which value a part of a struct is"},
    {STEP(unsupported_check), CHECK, ANY, "aggregates are split", ""},
    {STEP(see_through), REPAIR, ANY, "", "values are as they were noted: some are replaced"},
    {STEP(aliases_repair), REPAIR, ANY, "values that stand for others are replaced", ""},
    {STEP(lanes_reload), REPAIR, HAS_AGGREGATES, "", "every slot with references is in a list: these need none"},
    {STEP(aggregates_check), CHECK, HAS_AGGREGATES, "aggregates are split", ""},
    {STEP(bases_repair), FEATURE, HAS_SLOTS, "values that stand for others are replaced", "casts of slots: they are new at each use"},
    {STEP(addresses_repeat), REPAIR, ANY, "", "addresses in objects: they are new at each use"},
    {STEP(bases_check), CHECK, ANY, "all values that the rewrite will see", ""},
    {STEP(deopt_check), CHECK, HAS_DEOPTIMIZE, "", ""},
    {STEP(deopt_state_hide), REPAIR, HAS_BUNDLES, "", "\"deopt\" bundles, until deopt_state_show"},
    {STEP(call_forms_repair), REPAIR, ANY, "no call is built anew before the rewrite", ""},
    {STEP(keep_library_names), REPAIR, ANY, "", "names of functions, until regions_take"},
    {STEP(swap_shuffles), REPAIR, ANY, "", "the order of operands of shuffles"},
    {STEP(mark_explicit_sites), FEATURE, HAS_STATEPOINTS, "all statepoints are the module's own", ""},
    {STEP(regions_mark), REPAIR, HAS_BUNDLES, "complete \"gc-live\" lists", "\"gc-live\" lists of calls, until regions_take"},
    {STEP(rewrite_statepoints), FEATURE, ANY, "every safepoint is a call that LLVM's rewrite takes", "values live across safepoints: they are relocated"},
    {STEP(uses_release), FEATURE, HAS_SCOPES, "statepoints", "marks of last uses"},
    {STEP(constants_stay), REPAIR, ANY, "statepoints", ""},
    {STEP(bumps_unmark), FEATURE, ANY, "", "marks of the module's own allocations"},
    {STEP(deopt_state_show), REPAIR, HAS_BUNDLES, "\"deopt\" bundles as deopt_state_hide left them", ""},
    {STEP(regions_take), REPAIR, ANY, "names and lists as keep_library_names and regions_mark left them", ""},
    {STEP(regions_report), FEATURE, ANY, "complete \"gc-live\" lists", "records hold values alone: they say what is in slots"},
    {STEP(slots_check), CHECK, HAS_SLOTS, "regions are reported", ""},
    {STEP(stacks_unmark), FEATURE, ANY, "slots are checked", "marks of stacks"},
    {STEP(aliases_check), CHECK, ANY, "statepoints", ""},
    {STEP(int_to_ref_check), CHECK, HAS_INT_TO_PTR | HAS_SLOTS, "statepoints", ""},
    {STEP(check_lists), CHECK, HAS_STATEPOINTS | HAS_BUNDLES, "statepoints", ""},
    {STEP(results_to_slots), REPAIR, ANY, "statepoints", "statepoints that were noted: some are new"},
    {STEP(retype_pads), REPAIR, HAS_PADS, "statepoints", "landing pads as LLVM's verifier takes them, unless they are hidden from it"},
    {STEP(spaces_narrow), FEATURE, ANY, "", "all values that were noted: the module is read anew"},
    {STEP(rewrite_verify), CHECK, ANY, "the module as it will be, but for the steps below", ""},
    {STEP(lists_record), REPAIR, HAS_STATEPOINTS | HAS_BUNDLES, "a verified module", ""},
    {STEP(bases_drop), FEATURE, ANY, "statepoints", "relocations name the bases of objects"},
    {STEP(set_edges_apart), REPAIR, ANY, "nothing folds blocks from here on", ""},
    {STEP(freeze_vectors), REPAIR, ANY, "nothing folds values from here on", ""},
    {STEP(freeze_callees), REPAIR, ANY, "nothing folds values from here on", ""},
    {STEP(freeze_float_addresses), REPAIR, HAS_INT_TO_PTR, "nothing folds values from here on", ""},
    {STEP(lower_masks), REPAIR, ANY, "nothing folds values from here on", ""},
    {STEP(patchpoints_end_blocks), REPAIR, HAS_PATCHPOINTS, "nothing folds blocks from here on", ""},
    {STEP(unmark_null_checks), REPAIR, ANY, "nothing folds blocks from here on", ""},
    {STEP(swaps_set_apart), REPAIR, ANY, "nothing folds values from here on", ""},
    {STEP(spaces_move_back), FEATURE, ANY, "nothing asks for references from here on", "all values that were noted: the module is read anew"},
};
/* clang-format on */

enum { STEPS = sizeof steps / sizeof *steps };

/* Every name in the option "after" is a step's, or "passes"; SM_INVALID_OPTION, with all names. */
sm_status stage_after(struct compile *c) {
    sm_buf names;
    sm_status s = SM_OK;
    if (!c->options->after[0])
        return SM_OK;
    sm_buf_init(&names, 4096);
    sm_buf_puts(&names, "passes");
    for (size_t i = 0; i < STEPS; i++)
        sm_buf_printf(&names, ",%s", steps[i].name);
    xstatus(names.status);
    for (const char *name = c->options->after; s == SM_OK;) {
        size_t n = strcspn(name, ",");
        if (!list_has(sm_buf_cstr(&names), name, n))
            s = fail(c, SM_INVALID_OPTION, NULL, "after: '%.*s' is no step; these are: %s", (int)n, name,
                     sm_buf_cstr(&names));
        if (!name[n])
            break;
        name += n + 1;
    }
    sm_buf_free(&names);
    return s;
}

json_t *steps_about(void) {
    static const char *const kinds[] = {[FEATURE] = "feature", [REPAIR] = "repair", [CHECK] = "check"};
    json_t *list = json_array();
    for (size_t i = 0; i < STEPS; i++)
        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:s,s:s}", "name", steps[i].name, "kind", kinds[steps[i].kind],
                                        "requires", steps[i].requires, "breaks", steps[i].breaks));
    return list;
}

sm_status stage_check_statepoints(struct compile *c) {
    sm_status s = unsupported_check_input(c);
    if (s == SM_OK)
        s = bases_check_input(c);
    return s == SM_OK && c->has & HAS_STATEPOINTS ? statepoints_mark_unlisted(c) : s;
}

/* Makes statepoints of calls, with LLVM's rewrite, so that each safepoint names the references alive there. Runs the
 * steps until one fails, and shows the module after those that the option "after" names. Requires polls placed. */
sm_status stage_rewrite(struct compile *c) {
    sm_status s = SM_OK;
    assert(c->form == FORM_POLLED);
    features_find(c);
    for (size_t i = 0; s == SM_OK && i < STEPS; i++) {
        if (steps[i].of == (unsigned)ANY || c->has & steps[i].of)
            s = steps[i].run(c);
        if (s == SM_OK && after_lists(c, steps[i].name))
            stages_show(c, steps[i].name);
    }
    return s;
}
