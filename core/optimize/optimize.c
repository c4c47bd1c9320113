/* optimize.c - LLVM's optimiser at the level asked for; meanwhile, what it would take from lists, deopt states and
 * intervals is protected. */
#include "optimize.h"
#include "cfg.h"
#include "encoded.h"
#include "interval.h"
#include "ir.h"
#include "llvm19.h"
#include "optimizing.h"
#include "safepoints.h"
#include "target.h"

#include <elf.h>

static int is_inlined(LLVMValueRef call) { /* whatever its callee says */
    return call_enum_attribute(call, "alwaysinline") != NULL;
}

/* 1 if the module says of functions whose address is taken that something is done to them: LLVM's inliner lets go of
 * addresses that nobody uses. */
static int asks_for_addresses(LLVMModuleRef module) {
    static const char *const flags[] = {"cf-protection-branch", "branch-target-enforcement", "kcfi"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (LLVMGetModuleFlag(module, flags[i], strlen(flags[i])))
            return 1;
    return 0;
}

/* 1 if LLVM's pipeline would change nothing: at level 0, of which nothing is left to do but to inline what has to be,
 * to call what instruments functions, to take coroutines apart, and on AArch64 to give loops the form in which they
 * are optimised. */
static int level_does_nothing(const struct compile *c) {
    if (c->options->opt != SM_OPT_0 || asks_for_addresses(c->module))
        return 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (text_attribute(f, "instrument-function-entry") || text_attribute(f, "instrument-function-exit") ||
            function_attribute(f, "alwaysinline") || starts_with(value_name(f), "llvm.coro.") ||
            (c->elf_machine != EM_X86_64 && loops_in(f)) || any_call(f, is_inlined))
            return 0;
    return 1;
}

/* 1 if an alloca of fixed size stands behind a call in F's first block. */
static int has_late_alloca(LLVMValueRef f) {
    int is_late = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)); i; i = LLVMGetNextInstruction(i)) {
        if (is_late && LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
            return 1;
        is_late |= LLVMIsACallInst(i) != NULL;
    }
    return 0;
}

/* Moves slots of the first block to its begin, in functions with statepoints. What is inlined at a call ends the block,
 * and a slot behind it would be one of no fixed place: in a loop, where its function is inlined there. */
static void slots_gather(struct compile *c) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f))
        if (has_late_alloca(f))
            allocas_gather(b, f);
    LLVMDisposeBuilder(b);
}

/* Runs LLVM's optimiser at the level asked for; meanwhile, what it would take from lists, deopt states and
 * intervals is protected. */
sm_status stage_optimize(struct compile *c) {
    static const char *const passes[] = {"default<O0>", "default<O1>", "default<O2>",
                                         "default<O3>", "default<Os>", "default<Oz>"};
    sm_status s = c->has & HAS_SLOTS ? slots_check(c) : SM_OK;
    if (s == SM_OK)
        s = bumps_mark(c);
    if (s != SM_OK)
        return s;
    if (c->has & HAS_SLOTS)
        slots_gather(c);
    if ((s = tags_keep(c)) != SM_OK)
        return s;
    pads_join_types(c);
    target_attributes(c);
    flags_set(c, 1, 1);
    note_passes(c, passes[c->options->opt]);
    c->optimize.aliases_sound = c->options->opt != SM_OPT_0 && aliases_are_sound(c);
    copies_keep(c);
    marks_keep(c);
    s = c->has & (HAS_STATEPOINTS | HAS_BUNDLES | HAS_SCOPES) ? lists_keep(c) : SM_OK;
    if (c->has & HAS_DEOPTIMIZE)
        deopt_keep(c);
    if (s == SM_OK)
        s = interval_keep(c);
    if (s == SM_OK)
        s = frame_states_keep(c);
    if (s == SM_OK)
        s = guards_keep(c);
    masks_hide(c, 1);
    passes_show(c);
    if (s == SM_OK)
        s = run_folding_passes(c, level_does_nothing(c) ? NULL : passes[c->options->opt]);
    passes_take(c);
    masks_hide(c, 0);
    guards_release(c);
    deopt_release(c);
    lists_release(c);
    if (s == SM_OK)
        s = deopt_return(c);
    return s == SM_OK ? slots_promote(c) : s;
}
