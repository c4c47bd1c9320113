/* rewrite.c - calls become statepoints (LLVM's rewrite-statepoints-for-gc), and the result is verified. */
#include "core.h"
#include "layouts.h"
#include "scopes.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <stdlib.h>
#include <string.h>

/* The text after PREFIX on the line at *AT, ended there; moves *AT to the next line. NULL, with *AT unmoved, if
 * the line does not begin so. */
static const char *take_line(char **at, const char *prefix) {
    size_t n = strlen(prefix);
    char *line = *at, *end = strchr(line, '\n');
    if (strncmp(line, prefix, n) != 0)
        return NULL;
    if (end)
        *end = 0;
    *at = end ? end + 1 : line + strlen(line);
    return line + n;
}

/* Moves *AT to the next line, or to the text's end. */
static void skip_line(char **at) {
    char *end = strchr(*at, '\n');
    *at = end ? end + 1 : *at + strlen(*at);
}

/* The text after the spaces that it begins with. */
static const char *without_spaces(const char *s) {
    return s + strspn(s, " ");
}

/* Turns what LLVM's safepoint verifier printed (SafepointIRVerifier.cpp: "Illegal use of unrelocated value
 * found!", "Def: ", "Use: ", after each function's name) into error diagnostics. Changes TEXT. */
static void read_findings(struct compile *c, char *text) {
    char function[512] = "", message[4096];
    LLVMValueRef f = NULL;
    for (char *at = text; *at;) {
        const char *name = take_line(&at, "Verifying gc pointers in function: ");
        if (name) {
            snprintf(function, sizeof function, "%s", name);
            f = LLVMGetNamedFunction(c->module, function);
        } else if (take_line(&at, "Illegal use of unrelocated value found!")) {
            const char *def = take_line(&at, "Def: "), *use = def ? take_line(&at, "Use: ") : NULL;
            if (f && lists_alone(f))
                continue; /* lists_check has looked */
            snprintf(message, sizeof message,
                     "A pointer is used after a safepoint without having been relocated: %s (defined by: %s)",
                     use ? without_spaces(use) : "?", def ? without_spaces(def) : "?");
            diag_add(c, "error", function[0] ? function : NULL, message);
        } else {
            skip_line(&at);
        }
    }
}

/* Reports the safepoint verifier's findings, which it has written to stderr. SM_SAFEPOINT_VIOLATION if there are
 * errors. */
static sm_status check_findings(struct compile *c) {
    enum { SIZE = 65536 };
    char *text = malloc(SIZE);
    if (!text)
        return fail(c, SM_NOMEM, NULL, "Out of memory");
    if (capture_text(text, SIZE))
        read_findings(c, text);
    capture_reset(); /* the verifier names every function; a crash later on has other last words */
    free(text);
    return c->errors ? SM_SAFEPOINT_VIOLATION : SM_OK;
}

/* Fails with SM_CANNOT_REWRITE if LLVM's verifier finds the rewritten module broken. */
static sm_status verify(struct compile *c) {
    char *message = NULL;
    sm_status s = SM_OK;
    if (LLVMVerifyModule(c->module, LLVMReturnStatusAction, &message))
        s = fail(c, SM_CANNOT_REWRITE, NULL,
                 "The module does not verify after its calls were rewritten into statepoints: %s", message);
    LLVMDisposeMessage(message);
    return s;
}

/* Marks a call of inline assembly as a leaf: it is no safepoint, but LLVM's rewrite would make a statepoint of it,
 * which is not valid IR. */
static void keep_assembly(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    if (!is_statepoint_gc(LLVMGetGC(f)) || !LLVMIsAInlineAsm(LLVMGetCalledValue(call)) || is_leaf_call(call))
        return;
    set_call_attribute(c->context, call, LEAF_ATTRIBUTE, "");
    deviate(c, DEVIATION_LEAF_ASSEMBLY);
}

/* Visitor: a call that becomes a statepoint passes its arguments as its callee takes them. */
static void keep_arguments(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!is_statepoint_gc(LLVMGetGC(f)) || !is_safepoint(c, call) || intrinsic_name(call) ||
        !LLVMIsAFunction(callee) || LLVMGlobalGetValueType(callee) != LLVMGetCalledFunctionType(call))
        return;
    if (arguments_as_declared(call, callee))
        deviate(c, DEVIATION_PASSES);
}

/* The tag of an operand bundle by which the musttail call describes its frame, which is gone when the call is
 * made; NULL if it has none. */
static const char *bundle_for_frame(LLVMValueRef call) {
    static const char *const tags[] = {"deopt", "gc-live", "gc-transition"};
    const char *found = NULL;
    for (unsigned i = 0; i < LLVMGetNumOperandBundles(call); i++) {
        LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(call, i);
        size_t len;
        const char *tag = LLVMGetOperandBundleTag(bundle, &len);
        for (size_t t = 0; t < sizeof tags / sizeof *tags; t++)
            if (len == strlen(tags[t]) && memcmp(tag, tags[t], len) == 0)
                found = tags[t];
        LLVMDisposeOperandBundle(bundle);
    }
    return found;
}

/* Marks a musttail call as a leaf, as nothing of its frame is alive in it, and LLVM's rewrite would make a
 * statepoint that no return may follow at once. Refuses one that describes its frame. */
static void keep_musttail(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    if (!is_statepoint_gc(LLVMGetGC(f)) || !is_musttail(call) || intrinsic_name(call))
        return;
    const char *tag = bundle_for_frame(call);
    if (tag)
        fail(c, SM_CANNOT_REWRITE, f,
             "The musttail call of %.200s has \"%s\" operands, and when it is made its frame is gone",
             callee_name(call), tag);
    if (is_leaf_call(call))
        return;
    set_call_attribute(c->context, call, LEAF_ATTRIBUTE, "");
    deviate(c, DEVIATION_LEAF_TAIL);
}

/* Verifies the rewritten module as far as the option "verify" says; meanwhile, typed relocations on landing pads
 * are hidden from LLVM's verifier. */
static sm_status verify_all(struct compile *c) {
    sm_status s = SM_OK;
    pads_hide(c);
    if (c->options->verify != SM_VERIFY_OFF)
        s = verify(c);
    if (s == SM_OK && c->options->verify == SM_VERIFY_SAFEPOINTS) {
        capture_reset();
        s = run_passes(c, "function(verify<safepoint-ir>)");
    }
    if (s == SM_OK && c->options->verify == SM_VERIFY_SAFEPOINTS)
        s = check_findings(c);
    pads_show(c);
    return s;
}

typedef sm_status step(struct compile *c);

/* Runs the steps in order until one fails, and gives its status. */
static sm_status run_steps(struct compile *c, step *const *steps, size_t count) {
    sm_status s = SM_OK;
    for (size_t i = 0; s == SM_OK && i < count; i++)
        s = steps[i](c);
    return s;
}

/* Makes the module one that LLVM's rewrite reads rightly, and refuses what it would misread, drop or crash at. */
static sm_status prepare(struct compile *c) {
    static step *const steps[] = {
        scalable_check, advise_spaces,    advise_derived,  statepoints_complete, undefined_to_null,
        tags_to_slots,  gctypes_take,     spaces_to_slots, scopes_attach,        stacks_report,
        gctypes_apply,  aggregates_split, misfits_check,   opaque_mend,          aliases_mend,
        lanes_reload,   aggregates_check, bases_check,     deopt_check,          deopt_state_hide,
    };
    sm_status s = run_steps(c, steps, sizeof steps / sizeof *steps);
    if (s != SM_OK)
        return s;
    visit_module_calls(c->module, keep_assembly, c);
    visit_module_calls(c->module, keep_musttail, c);
    visit_module_calls(c->module, keep_arguments, c);
    if (c->errors)
        return SM_CANNOT_REWRITE;
    library_keep(c);
    splats_swap(c);
    sites_mark_explicit(c);
    return regions_mark(c);
}

/* Checks live lists that relocate nothing, if the option "verify" asks for safepoints. */
static sm_status check_lists(struct compile *c) {
    return c->options->verify == SM_VERIFY_SAFEPOINTS ? lists_check(c) : SM_OK;
}

/* Completes the rewritten module with what LLVM's rewrite does not know of (slots, facts, large results,
 * compressed references), and checks and verifies it. */
static sm_status conclude(struct compile *c) {
    static step *const steps[] = {deopt_state_show, regions_take, regions_tell, slots_check,     stacks_unmark,
                                  aliases_check,    made_check,   check_lists,  results_to_slots};
    sm_status s = run_steps(c, steps, sizeof steps / sizeof *steps);
    if (s != SM_OK)
        return s;
    pads_retype(c);
    s = spaces_narrow(c);
    if (s == SM_OK)
        s = verify_all(c);
    if (s == SM_OK)
        s = lists_record(c);
    return s == SM_OK ? bases_drop(c) : s;
}

/* Makes statepoints of calls, with LLVM's rewrite, so that each safepoint names the references alive there.
 * Verifies the result as the option says. Requires polls placed. */
sm_status stage_rewrite(struct compile *c) {
    static const char *const passes[] = {[SM_VERIFY_OFF] = "rewrite-statepoints-for-gc",
                                         [SM_VERIFY_IR] = "rewrite-statepoints-for-gc,verify",
                                         [SM_VERIFY_SAFEPOINTS] =
                                             "rewrite-statepoints-for-gc,verify,function(verify<safepoint-ir>)"};
    assert(c->form == FORM_POLLED);
    sm_status s = prepare(c);
    if (s != SM_OK)
        return s;
    sm_buf_printf(&c->pipeline, ",%s", passes[c->options->verify]);
    s = run_passes(c, "rewrite-statepoints-for-gc");
    if (s != SM_OK)
        return s;
    c->form = FORM_REWRITTEN;
    s = conclude(c);
    if (s != SM_OK)
        return s;
    edges_set_apart(c);
    vectors_freeze(c);
    return swaps_set_apart(c);
}
