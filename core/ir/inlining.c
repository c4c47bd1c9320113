/* inlining.c - LLVM's inliner for calls that smd marks itself.
 *
 * What a module wants to be inlined always waits meanwhile: before the optimiser, its functions still have what the
 * inliner would tear apart, and behind it, what is left of them could not be inlined (it calls itself).
 */
#include "base.h"
#include "ir.h"
#include "marks.h"
#include "state.h"

/* 1 if F is one that smd calls of its own accord, has written, or inlines late. */
static int is_ours_inlining(LLVMValueRef f) {
    return LLVMIsAFunction(f) && (is_hook(f) || text_attribute(f, HOOK_ATTRIBUTE) ||
                                  text_attribute(f, ALLOCATE_ATTRIBUTE) || starts_with(value_name(f), "smd."));
}

/* Visitor: takes "alwaysinline" from a call of the module's own, and marks it. */
static void hide_call(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    unsigned kind = attribute_kind("alwaysinline"), at = (unsigned)LLVMAttributeFunctionIndex;
    (void)f;
    if (!LLVMGetCallSiteEnumAttribute(call, at, kind) || is_ours_inlining(LLVMGetCalledValue(call)))
        return;
    LLVMRemoveCallSiteEnumAttribute(call, at, kind);
    set_call_attribute(c->context, call, INLINED_ATTRIBUTE, "");
}

/* Nothing of the module's own is inlined always. */
static void inlining_hide(struct compile *c) {
    unsigned kind = attribute_kind("alwaysinline"), at = (unsigned)LLVMAttributeFunctionIndex;
    visit_module_calls(c->module, hide_call, c);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMGetEnumAttributeAtIndex(f, at, kind) || is_ours_inlining(f))
            continue;
        LLVMRemoveEnumAttributeAtIndex(f, at, kind);
        set_text_attribute(c->context, f, INLINED_ATTRIBUTE, "");
    }
}

/* Visitor: gives "alwaysinline" back to a marked call. */
static void show_call(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    unsigned at = (unsigned)LLVMAttributeFunctionIndex;
    (void)f;
    if (!call_attribute(call, INLINED_ATTRIBUTE))
        return;
    LLVMRemoveCallSiteStringAttribute(call, at, INLINED_ATTRIBUTE, sizeof INLINED_ATTRIBUTE - 1);
    LLVMAddCallSiteAttribute(call, at, LLVMCreateEnumAttribute(c->context, attribute_kind("alwaysinline"), 0));
}

/* What inlining_hide has marked is again. */
static void inlining_show(struct compile *c) {
    unsigned at = (unsigned)LLVMAttributeFunctionIndex;
    visit_module_calls(c->module, show_call, c);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (!text_attribute(f, INLINED_ATTRIBUTE))
            continue;
        LLVMRemoveStringAttributeAtIndex(f, at, INLINED_ATTRIBUTE, sizeof INLINED_ATTRIBUTE - 1);
        LLVMAddAttributeAtIndex(f, at, LLVMCreateEnumAttribute(c->context, attribute_kind("alwaysinline"), 0));
    }
}

/* Has all calls of F inlined. */
static void mark_calls_of(struct compile *c, LLVMValueRef f) {
    unsigned kind = attribute_kind("alwaysinline");
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (is_call(call) && LLVMGetCalledValue(call) == f &&
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) != f)
            LLVMAddCallSiteAttribute(call, (unsigned)LLVMAttributeFunctionIndex,
                                     LLVMCreateEnumAttribute(c->context, kind, 0));
    }
}

/* The calls of F that were not inlined may not be any more. */
static void unmark_calls_of(LLVMValueRef f) {
    unsigned kind = attribute_kind("alwaysinline");
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
        if (is_call(LLVMGetUser(u)) && LLVMGetCalledValue(LLVMGetUser(u)) == f)
            LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(u), (unsigned)LLVMAttributeFunctionIndex, kind);
}

sm_status inline_marked(struct compile *c, const struct set *functions) {
    size_t count = functions ? functions->count : 0;
    inlining_hide(c);
    for (size_t i = 0; i < count; i++)
        mark_calls_of(c, functions->item[i]);
    sm_status s = run_folding_passes(c, "always-inline");
    for (size_t i = 0; i < count; i++)
        unmark_calls_of(functions->item[i]);
    inlining_show(c);
    return s;
}
