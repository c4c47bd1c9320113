/* polled.c - where a function is polled: by its own attribute, or by the option. */
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "safepoints.h"

/* 1 if F itself says where it is polled. */
static int has_polls_attribute(LLVMValueRef f) {
    return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, POLLS_ATTRIBUTE,
                                         sizeof POLLS_ATTRIBUTE - 1) != NULL;
}

/* Gives in *BITS where F is polled: by its attribute, or by the option; nowhere in leaf functions. Fails if the
 * attribute has words that the option has not. */
sm_status polls_of(struct compile *c, LLVMValueRef f, unsigned *bits) {
    LLVMAttributeRef a = text_attribute(f, POLLS_ATTRIBUTE);
    *bits = c->options->safepoints;
    if (is_leaf_function(f)) { /* what calls it has no record for the walk */
        if (*bits != 0)
            deviate(c, DEVIATION_OWN_POLLS);
        *bits = 0;
        return SM_OK;
    }
    if (!a && *bits == (SM_SP_ENTRY | SM_SP_BACKEDGE) && LLVMGetGC(f) && strcmp(LLVMGetGC(f), "coreclr") == 0) {
        *bits = SM_SP_BACKEDGE | SP_TAIL; /* by LLVM's document; its pass polls entries, and no tail calls */
        deviate(c, DEVIATION_OWN_POLLS);
    }
    if (!a)
        return SM_OK;
    unsigned len;
    const char *value = LLVMGetStringAttributeValue(a, &len);
    sm_options words;
    sm_option_error err;
    sm_options_init(&words);
    sm_status s = sm_options_set(&words, "safepoints", value, len, &err);
    if (s != SM_OK)
        return fail(c, s, f, "The attribute \"" POLLS_ATTRIBUTE "\": %s", err.message);
    *bits = words.safepoints;
    if (words.safepoints != c->options->safepoints)
        deviate(c, DEVIATION_OWN_POLLS);
    return SM_OK;
}

int function_polls(const struct compile *c, LLVMValueRef f) {
    unsigned bits = 0;
    if (LLVMIsDeclaration(f) || !is_statepoint_gc(LLVMGetGC(f)) || is_hook(f))
        return 0;
    polls_of((struct compile *)c, f, &bits); /* was in order when the stage looked */
    return (int)bits;
}

/* The places (SM_SP_*) where F, of a gcroot strategy, is polled; 0 otherwise. Without the attribute it is polled only
 * if the module or the option poll says what a poll is. */
int function_root_polls(const struct compile *c, LLVMValueRef f) {
    unsigned bits = 0;
    int is_declared = LLVMGetNamedFunction(c->module, "gc.safepoint_poll") || strcmp(c->options->poll, "module") != 0;
    if (LLVMIsDeclaration(f) || gc_features(LLVMGetGC(f)) != GC_ROOTS || is_hook(f) || polls_fault(c))
        return 0;
    polls_of((struct compile *)c, f, &bits); /* was in order when the stage looked */
    return has_polls_attribute(f) || is_declared ? (int)bits : 0;
}
