/* deopt_returns.c - deoptimisation and the optimiser: it does not take the return away, and after it, calls whose result
 * is returned replace the deoptimizations of functions that name a function of the runtime's.
 *
 * LLVM calls __llvm_deoptimize, which must not return: it drops what that gives. A function may name a function of the
 * runtime's instead, whose result is what its frame returns.
 */
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "optimize.h"
#include "optimizing.h"

/* LLVM makes loops of recursion, and would choose after a deoptimization between what it and an earlier round return
 * (TailRecursionElimination.cpp): then nothing returns its value, and the rewrite dies. This attribute of LLVM's
 * keeps it from that; ours remembers which functions were given it. */
#define NO_TAIL_CALLS "disable-tail-calls"

/* Before the optimiser, if anything deoptimizes: forbids making loops of recursion, which would take the return of
 * its value away. */
void deopt_keep(struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        c->deoptimizes |= is_deoptimize(call) && is_statepoint_gc(LLVMGetGC(function_of(call)));
    if (!c->deoptimizes)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !is_statepoint_gc(LLVMGetGC(f)) || text_attribute(f, NO_TAIL_CALLS))
            continue;
        set_text_attribute(c->context, f, NO_TAIL_CALLS, "true");
        set_text_attribute(c->context, f, CALLS_ATTRIBUTE, "");
    }
}

/* Removes the attributes that deopt_keep added. */
void deopt_release(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (!text_attribute(f, CALLS_ATTRIBUTE))
            continue;
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, NO_TAIL_CALLS, sizeof NO_TAIL_CALLS - 1);
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, CALLS_ATTRIBUTE, sizeof CALLS_ATTRIBUTE - 1);
    }
}

/* ---- Deoptimizations that return ------------------------------------------------------------------------------- */

/* The symbol that F's attribute names, in TEXT; 0 if F has none, or one that is too long. */
static int returning_symbol(LLVMValueRef f, char *text, size_t size) {
    unsigned len = 0;
    LLVMAttributeRef a = text_attribute(f, DEOPTIMIZE_ATTRIBUTE);
    const char *value = a ? LLVMGetStringAttributeValue(a, &len) : NULL;
    if (!value || !len || len >= size)
        return 0;
    snprintf(text, size, "%.*s", (int)len, value);
    return 1;
}

void deopt_symbols(const struct compile *c, struct set *symbols) {
    char symbol[256];
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (returning_symbol(f, symbol, sizeof symbol))
            symbol_add(c->module, symbol, symbols);
}

/* The function SYMBOL, declared with TYPE if it is not there; NULL if the name is another thing's. */
static LLVMValueRef returning_function(struct compile *c, const char *symbol, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, symbol);
    if (!f && (LLVMGetNamedGlobal(c->module, symbol) || is_other_name(c->module, symbol)))
        return NULL;
    return f ? f : LLVMAddFunction(c->module, symbol, type);
}

/* Replaces the deoptimization OLD of F by a call of the function SYMBOL with its arguments and bundles. */
static sm_status call_returning(struct compile *c, LLVMValueRef f, LLVMValueRef old, const char *symbol) {
    unsigned n = LLVMGetNumArgOperands(old), bundles = LLVMGetNumOperandBundles(old);
    LLVMValueRef *args = xcalloc(n + 1, sizeof *args), callee = NULL;
    LLVMTypeRef *types = xcalloc(n + 1, sizeof(LLVMTypeRef));
    LLVMOperandBundleRef *bundle = xcalloc(bundles + 1, sizeof *bundle);
    struct call_parts p = {.args = args, .arg_count = n, .bundles = bundle};
    sm_status s = SM_OK;
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i] = LLVMGetOperand(old, i));
    p.type = LLVMFunctionType(LLVMTypeOf(old), types, n, 0);
    p.callee = callee = returning_function(c, symbol, p.type);
    p.bundle_count = call_other_bundles(old, "", bundle);
    if (!callee)
        s = fail(c, SM_GC_MISMATCH, f, "\"" DEOPTIMIZE_ATTRIBUTE "\": '%s' is in the module, but is not a function",
                 symbol);
    if (callee) {
        LLVMValueRef created = call_build(old, &p);
        if (LLVMIsAFunction(callee))
            call_as_declared(created, callee);
        LLVMSetTailCallKind(created, LLVMTailCallKindNone);
        for (unsigned i = 0; i < n; i++)
            call_copy_attributes(old, i + 1, created, i + 1);
        call_replace(old, created);
        deviate(c, DEVIATION_RETURNS);
    }
    for (unsigned i = 0; i < p.bundle_count; i++)
        LLVMDisposeOperandBundle(bundle[i]);
    free(bundle);
    free(types);
    free(args);
    return s;
}

/* Makes the deoptimizations of functions that say so calls whose result is returned. One of a function that does not
 * say so is refused beside them: one may have been inlined into the other, and then nobody knows what was meant. After
 * the optimiser. */
sm_status deopt_return(struct compile *c) {
    struct set result = {0};
    LLVMValueRef silent = NULL;
    char symbol[256];
    sm_status s = SM_OK;
    int any = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        any |= text_attribute(f, DEOPTIMIZE_ATTRIBUTE) != NULL;
    if (any)
        for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
            if (is_deoptimize(call))
                set_add(&result, call);
    for (size_t i = 0; s == SM_OK && i < result.count; i++) {
        LLVMValueRef f = function_of(result.item[i]);
        if (returning_symbol(f, symbol, sizeof symbol))
            s = call_returning(c, f, result.item[i], symbol);
        else
            silent = f;
    }
    if (s == SM_OK && silent)
        s = fail(
            c, SM_GC_MISMATCH, silent,
            "A call of llvm.experimental.deoptimize is in a function without the attribute \"" DEOPTIMIZE_ATTRIBUTE
            "\", and other functions have it: give it to all that deoptimize, or that call such");
    set_free(&result);
    return s;
}
