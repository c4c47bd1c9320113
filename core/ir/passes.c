/* passes.c - runs LLVM's passes, by LLVM's names for them; and what waits while some of them run.
 *
 * LLVM leaves functions with the attribute optnone out of nearly every pass: no poll would be placed in them, and no
 * stack slot promoted. So for the time of such a pass they do not have it. Code generation sees it again.
 *
 * LLVM's inliner runs for calls that smd marks itself. What a module wants to be inlined always waits meanwhile: before
 * the optimiser, its functions still have what the inliner would tear apart, and behind it, what is left of them could
 * not be inlined (it calls itself).
 */
#include "deviations.h"
#include "ir.h"
#include "marks.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* Runs passes over the module, by LLVM's names for them. SM_INTERNAL if LLVM refuses, SM_CODEGEN_FAILED if there
 * are errors. */
sm_status run_passes(struct compile *c, const char *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef e = LLVMRunPasses(c->module, passes, c->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!e)
        return c->errors ? SM_CODEGEN_FAILED : SM_OK;
    char *message = LLVMGetErrorMessage(e);
    sm_status s = fail(c, SM_INTERNAL, NULL, "%s: %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return s;
}

/* ---- Functions that are not to be optimised ----------------------------------------------------------------- */

/* Takes LLVM's attribute NAME from F, marking it, if it has that; 1 if it had. */
static int hide_attribute(struct compile *c, LLVMValueRef f, const char *name, const char *mark) {
    if (!function_attribute(f, name))
        return 0;
    remove_function_attribute(f, name);
    set_text_attribute(c->context, f, mark, "");
    return 1;
}

/* Gives it back to the functions that are marked. */
static void show_attributes(struct compile *c, const char *name, const char *mark) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (text_attribute(f, mark)) {
            remove_text_attribute(f, mark);
            set_function_attribute(f, name);
        }
}

void optnone_hide(struct compile *c, int is_hidden) {
    for (LLVMValueRef f = is_hidden ? first_with_statepoints(c->module) : NULL; f; f = next_with_statepoints(f))
        if (hide_attribute(c, f, "optnone", OPTNONE_ATTRIBUTE))
            deviate(c, DEVIATION_OPTNONE);
    if (!is_hidden)
        show_attributes(c, "optnone", OPTNONE_ATTRIBUTE);
}

/* ---- Inlining ------------------------------------------------------------------------------------------------ */

/* 1 if F is one that smd calls of its own accord, has written, or inlines late. */
static int is_ours_inlining(LLVMValueRef f) {
    return LLVMIsAFunction(f) && (is_hook(f) || text_attribute(f, HOOK_ATTRIBUTE) ||
                                  text_attribute(f, ALLOCATE_ATTRIBUTE) || starts_with(value_name(f), "smd."));
}

/* Nothing of the module's own is inlined always. */
static void inlining_hide(struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call)) {
        if (!call_enum_attribute(call, "alwaysinline") || is_ours_inlining(LLVMGetCalledValue(call)))
            continue;
        remove_call_enum_attribute(call, "alwaysinline");
        set_call_attribute(c->context, call, INLINED_ATTRIBUTE, "");
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!is_ours_inlining(f))
            hide_attribute(c, f, "alwaysinline", INLINED_ATTRIBUTE);
}

/* What inlining_hide has marked is again. */
static void inlining_show(struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call)) {
        if (!call_attribute(call, INLINED_ATTRIBUTE))
            continue;
        remove_call_attribute(call, INLINED_ATTRIBUTE);
        set_call_enum_attribute(call, "alwaysinline");
    }
    show_attributes(c, "alwaysinline", INLINED_ATTRIBUTE);
}

/* Has all calls of F inlined. */
static void mark_calls_of(LLVMValueRef f) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (is_call(call) && LLVMGetCalledValue(call) == f && function_of(call) != f)
            set_call_enum_attribute(call, "alwaysinline");
    }
}

/* The calls of F that were not inlined may not be any more. */
static void unmark_calls_of(LLVMValueRef f) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
        if (is_call(LLVMGetUser(u)) && LLVMGetCalledValue(LLVMGetUser(u)) == f)
            remove_call_enum_attribute(LLVMGetUser(u), "alwaysinline");
}

sm_status inline_marked(struct compile *c, const struct set *functions) {
    size_t count = functions ? functions->count : 0;
    inlining_hide(c);
    for (size_t i = 0; i < count; i++)
        mark_calls_of(functions->item[i]);
    sm_status s = run_folding_passes(c, "always-inline");
    for (size_t i = 0; i < count; i++)
        unmark_calls_of(functions->item[i]);
    inlining_show(c);
    return s;
}
