/* inlining.c - LLVM's inliner for calls that smd marks itself.
 *
 * What a module wants to be inlined always waits meanwhile: before the optimiser, its functions still have what the
 * inliner would tear apart, and behind it, what is left of them could not be inlined (it calls itself).
 */
#include "base.h"
#include "ir.h"
#include "marks.h"
#include "state.h"

/* 1 if F is one that smd calls of its own accord, or has written. */
static int is_ours_inlining(LLVMValueRef f) {
    return LLVMIsAFunction(f) &&
           (is_hook(f) || text_attribute(f, HOOK_ATTRIBUTE) || starts_with(value_name(f), "smd."));
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

void inlining_hide(struct compile *c) {
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

void inlining_show(struct compile *c) {
    unsigned at = (unsigned)LLVMAttributeFunctionIndex;
    visit_module_calls(c->module, show_call, c);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (!text_attribute(f, INLINED_ATTRIBUTE))
            continue;
        LLVMRemoveStringAttributeAtIndex(f, at, INLINED_ATTRIBUTE, sizeof INLINED_ATTRIBUTE - 1);
        LLVMAddAttributeAtIndex(f, at, LLVMCreateEnumAttribute(c->context, attribute_kind("alwaysinline"), 0));
    }
}

sm_status inline_marked(struct compile *c) {
    inlining_hide(c);
    sm_status s = run_folding_passes(c, "always-inline");
    inlining_show(c);
    return s;
}
