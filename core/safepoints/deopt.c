/* deopt.c - deoptimisation: calls that never return. (The values that calls say their frame has: deopt_state.c.)
 *
 * Calls of llvm.experimental.deoptimize stand before their function's return (LangRef). LLVM's place-safepoints may
 * put an entry poll between the two; one that branches takes the return away into another block. The rewrite looks for
 * the return right behind the call, and dies (RewriteStatepointsForGC.cpp, doReplacement). So the return is put back,
 * and what is after it is reached no more.
 *
 * The optimiser is kept from taking the return away.
 *
 * LLVM calls __llvm_deoptimize, which must not return: it drops what that gives. A function may name a function of the
 * runtime's instead, whose result is what its frame returns.
 */
#include "base.h"
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "memory.h"
#include "safepoints.h"
#include "set.h"
#include "state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* LLVM makes loops of recursion, and would choose after a deoptimization between what it and an earlier round return
 * (TailRecursionElimination.cpp): then nothing returns its value, and the rewrite dies. This attribute of LLVM's
 * keeps it from that; ours remembers which functions were given it. */
#define NO_TAIL_CALLS "disable-tail-calls"

/* Visitor: notes in c->deoptimizes a deoptimization in a function with statepoints. */
static void note_deoptimization(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    c->deoptimizes |= is_statepoint_gc(LLVMGetGC(f)) && is_deoptimize(call);
}

/* Before the optimiser, if anything deoptimizes: forbids making loops of recursion, which would take the return of
 * its value away. */
void deopt_keep(struct compile *c) {
    visit_module_calls(c->module, note_deoptimization, c);
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

/* Of a function: the runtime's function that its deoptimizations call, and whose result it returns. */

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
        LLVMValueRef created = call_build(c, old, &p);
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

/* Visitor: adds a deoptimization to the set at ARG. */
static void find_deoptimization(void *arg, LLVMValueRef f, LLVMValueRef call) {
    (void)f;
    if (is_deoptimize(call))
        set_add(arg, call);
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
        visit_module_calls(c->module, find_deoptimization, &result);
    for (size_t i = 0; s == SM_OK && i < result.count; i++) {
        LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(result.item[i]));
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

/* ---- Their returns ----------------------------------------------------------------------------------------------- */

/* 1 if a successor of the terminator END begins with a phi. */
static int any_phi_behind(LLVMValueRef end) {
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetSuccessor(end, i))))
            return 1;
    return 0;
}

/* Erases all that is behind CALL in its block. */
static void erase_behind(LLVMBasicBlockRef block, LLVMValueRef call) {
    for (LLVMValueRef last; (last = LLVMGetLastInstruction(block)) != call;) {
        if (LLVMGetFirstUse(last)) /* where nothing comes any more */
            LLVMReplaceAllUsesWith(last, LLVMGetPoison(LLVMTypeOf(last)));
        LLVMInstructionEraseFromParent(last);
    }
}

/* Makes the block of a deoptimization end with the return of its value again, where a poll was placed between the
 * two. */
static void put_return_back(struct compile *c, LLVMValueRef call) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    LLVMValueRef f = LLVMGetBasicBlockParent(block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), next = LLVMGetNextInstruction(call);
    if (!is_statepoint_gc(LLVMGetGC(f)) || !end || (next && LLVMIsAReturnInst(next)) || any_phi_behind(end))
        return;
    erase_behind(block, call);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderAtEnd(b, block);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, call);
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_OWN_POLLS); /* LLVM's own tools do not do it */
    remark(c, "place-safepoints", f, "no poll after a call of llvm.experimental.deoptimize, which does not return");
}

/* Puts back the returns of all deoptimizations. After polls are placed. */
void deopt_repair(struct compile *c) {
    struct set calls = {0};
    visit_module_calls(c->module, find_deoptimization, &calls);
    for (size_t i = 0; i < calls.count; i++)
        put_return_back(c, calls.item[i]);
    set_free(&calls);
}

/* 1 if the block of CALL ends with its return, and nothing else than returns uses it. */
static int is_returned(LLVMValueRef call) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(call));
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use))
        if (!LLVMIsAReturnInst(LLVMGetUser(use)))
            return 0;
    return end && LLVMIsAReturnInst(end) && (LLVMGetNumOperands(end) == 0 || LLVMGetOperand(end, 0) == call);
}

/* Visitor: refuses a deoptimization that is not returned. */
static void check_deoptimization(void *arg, LLVMValueRef f, LLVMValueRef call) {
    if (is_statepoint_gc(LLVMGetGC(f)) && is_deoptimize(call) && !is_returned(call))
        fail(arg, SM_CANNOT_REWRITE, f,
             "What a call of llvm.experimental.deoptimize gives is not what its block returns; try opt=0");
}

/* Refuses deoptimizations that the rewrite cannot handle. Requires polls placed. */
sm_status deopt_check(struct compile *c) {
    assert(c->form == FORM_POLLED);
    visit_module_calls(c->module, check_deoptimization, c);
    return c->errors ? SM_CANNOT_REWRITE : SM_OK;
}
