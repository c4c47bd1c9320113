/* misfits.c - what does not go together with statepoints, and would be compiled all the same: a reference would be lost, or
 * code would be wrong, without a word. Each is refused by name.
 *
 *   - va_arg of references: what is left in the register save area is in no map, and LLVM's rewrite dies of it.
 *   - Coroutines: what is alive across a suspension is moved to a frame that no map tells of.
 *   - Naked functions: they have no frame for what has to survive a call.
 *   - Calls that return twice (setjmp): what was alive at the first return is not in the maps of the calls until the second.
 *   - Patchpoints: calls of any function, which the rewrite takes for none.
 *   - Operand bundles that the rewrite forgets.
 */
#include "core.h"

#include <string.h>

static int is_named(LLVMValueRef call, const char *prefix) {
    const char *name = intrinsic_name(call);
    return name && strncmp(name, prefix, strlen(prefix)) == 0;
}

static int has(LLVMValueRef f, const char *attribute) {
    return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName(attribute, strlen(attribute))) != NULL;
}

/* ---- Before the optimiser, which takes coroutines apart ------------------------------------------------------ */

/* LLVM's own, while it optimises; one that is there before has it die. */
static void check_intrinsic(void *arg, LLVMValueRef f, LLVMValueRef call) {
    if (is_named(call, "llvm.ssa.copy."))
        fail(arg, SM_CODEGEN_FAILED, f, "llvm.ssa.copy is for LLVM's own passes: use its operand");
}

static void find_coroutine(void *arg, LLVMValueRef f, LLVMValueRef call) {
    (void)f;
    *(int *)arg |= is_named(call, "llvm.coro.begin");
}

sm_status misfits_check_input(struct compile *c) {
    visit_module_calls(c->module, check_intrinsic, c);
    if (c->errors)
        return SM_CODEGEN_FAILED;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        int found = 0;
        if (LLVMIsDeclaration(f) || !is_statepoint_gc(LLVMGetGC(f)))
            continue;
        visit_calls(f, find_coroutine, &found);
        if ((found || has(f, "presplitcoroutine")) && has_references(f))
            return fail(c, SM_CANNOT_REWRITE, f,
                        "A coroutine's references are moved into its frame, of which no collector is told: keep them "
                        "in objects of the heap");
    }
    return SM_OK;
}

/* ---- Calls --------------------------------------------------------------------------------------------------- */

/* The first bundle that the statepoint would not have; NULL if there is none. */
static void check_bundles(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    static const char *const kept[] = {"deopt", "gc-transition", "gc-live"};
    for (unsigned i = 0; i < LLVMGetNumOperandBundles(call); i++) {
        LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(call, i);
        size_t len;
        const char *tag = LLVMGetOperandBundleTag(bundle, &len);
        int fine = 0;
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            fine |= len == strlen(kept[k]) && memcmp(tag, kept[k], len) == 0;
        if (!fine)
            fail(c, SM_CANNOT_REWRITE, f,
                 "The call of %.200s has \"%.*s\" operands, which a statepoint cannot have: they would be lost",
                 safepoint_name(call), (int)(len < 100 ? len : 100), tag);
        LLVMDisposeOperandBundle(bundle);
    }
}

static void check_call(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    if (!is_statepoint_gc(LLVMGetGC(f)) || intrinsic_name(call) || !is_safepoint(c, call))
        return;
    check_bundles(c, f, call);
    if (has(f, "naked"))
        fail(c, SM_CANNOT_REWRITE, f, "A naked function has no frame, and the call of %.200s needs one",
             safepoint_name(call));
}

/* ---- Values -------------------------------------------------------------------------------------------------- */

static int returns_twice(LLVMValueRef call) {
    unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", 13);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
           (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind)) ||
           is_named(call, "llvm.eh.sjlj.setjmp");
}

static int is_patchpoint(LLVMValueRef call) {
    return is_named(call, "llvm.experimental.patchpoint.") && !LLVMIsNull(LLVMGetOperand(call, 2)) &&
           !is_leaf_call(call);
}

static int is_unseen(LLVMValueRef v, LLVMValueRef i) {
    (void)v;
    return (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && (returns_twice(i) || is_patchpoint(i));
}

static sm_status check_value(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    LLVMValueRef call = NULL;
    size_t len;
    if (!holds_reference(LLVMTypeOf(v)))
        return SM_OK;
    if (LLVMIsACallBrInst(v))
        return fail(c, SM_CANNOT_REWRITE, f, "A callbr gives a reference, whose base LLVM's rewrite cannot find");
    if (LLVMIsAVAArgInst(v))
        return fail(c, SM_CANNOT_REWRITE, f,
                    "va_arg gives a reference, and what other arguments hold is not told to the collector: give "
                    "references as arguments of their own");
    sm_status s = live_across_such(c, f, v, is_unseen, &call);
    if (s != SM_OK || !call)
        return s;
    const char *name = LLVMGetValueName2(v, &len);
    if (is_patchpoint(call))
        return fail(
            c, SM_CANNOT_REWRITE, f,
            "%s%s is alive across a patchpoint that calls a function, which is no safepoint to LLVM: make it a "
            "statepoint with patch bytes, or mark the call \"" LEAF_ATTRIBUTE "\"",
            name[0] ? "%" : "A reference", name);
    return fail(
        c, SM_CANNOT_REWRITE, f,
        "%s%s is alive across the call of %.200s, which may return twice: until the second return the collector "
        "is not told of it",
        name[0] ? "%" : "A reference", name, callee_name(call));
}

/* Requires the optimised module with its polls, before the rewrite. */
sm_status misfits_check(struct compile *c) {
    visit_module_calls(c->module, check_call, c);
    return c->errors ? SM_CANNOT_REWRITE : check_values(c, check_value);
}
