/* call_forms.c - calls that become statepoints, or must not, in a form that LLVM's rewrite takes. */
#include "deviations.h"
#include "ir.h"
#include "steps.h"

/* Marks a call of inline assembly as a leaf: it is no safepoint, but LLVM's rewrite would make a statepoint of it,
 * which is not valid IR. */
static void keep_assembly(struct compile *c, LLVMValueRef call) {
    if (!LLVMIsAInlineAsm(LLVMGetCalledValue(call)) || is_leaf_call(call))
        return;
    set_call_attribute(c->context, call, LEAF_ATTRIBUTE, "");
    deviate(c, DEVIATION_LEAF_ASSEMBLY);
}

/* A call that becomes a statepoint passes its arguments as its callee takes them. */
static void keep_arguments(struct compile *c, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || LLVMGlobalGetValueType(callee) != LLVMGetCalledFunctionType(call))
        return;
    if (arguments_as_declared(call, callee))
        deviate(c, DEVIATION_PASSES);
}

/* Takes "returned" from the arguments of a call that becomes a statepoint, which itself returns none of
 * them. */
static void drop_returned(struct compile *c, LLVMValueRef call) {
    unsigned kind = attribute_kind("returned");
    for (unsigned at = 1; at <= LLVMGetNumArgOperands(call); at++)
        if (LLVMGetCallSiteEnumAttribute(call, at, kind)) {
            LLVMRemoveCallSiteEnumAttribute(call, at, kind);
            deviate(c, DEVIATION_PASSES);
        }
}

/* The type of a function that takes the arguments of CALL by name, and gives its result. */
static LLVMTypeRef type_by_arguments(LLVMValueRef call) {
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMTypeRef *of = xcalloc(n + 1, sizeof *of);
    for (unsigned i = 0; i < n; i++)
        of[i] = LLVMTypeOf(LLVMGetOperand(call, i));
    LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(call), of, n, 0);
    free(of);
    return type;
}

/* A variadic call that gives a result and becomes a statepoint is made with all its arguments named. LLVM 19's
 * verifier takes no statepoint of such a call as it is; its code generation makes the same of both, as both targets
 * pass variadic arguments where they pass others. (What x86-64 says in al, unsupported.c looks for.) */
static void name_arguments(struct compile *c, LLVMValueRef call) {
    if (!LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)) ||
        LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        return;
    call_rebuild(call, type_by_arguments(call), "");
    deviate(c, DEVIATION_PASSES);
}

/* The tag of an operand bundle by which the musttail call describes its frame, which is gone when the call is
 * made; NULL if it has none. */
static const char *bundle_for_frame(LLVMValueRef call) {
    static const char *const tags[] = {"deopt", "gc-live", "gc-transition"};
    const char *result = NULL;
    for (unsigned i = 0; i < LLVMGetNumOperandBundles(call); i++) {
        LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(call, i);
        size_t len;
        const char *tag = LLVMGetOperandBundleTag(bundle, &len);
        for (size_t t = 0; t < sizeof tags / sizeof *tags; t++)
            if (len == strlen(tags[t]) && memcmp(tag, tags[t], len) == 0)
                result = tags[t];
        LLVMDisposeOperandBundle(bundle);
    }
    return result;
}

/* Marks a musttail call as a leaf, as nothing of its frame is alive in it, and LLVM's rewrite would make a
 * statepoint that no return may follow at once. Refuses one that describes its frame. */
static void keep_musttail(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    if (!is_musttail(call) || intrinsic_name(call))
        return;
    const char *tag = bundle_for_frame(call);
    if (tag)
        fail(c, SM_CANNOT_REWRITE, f,
             "The musttail call of %.200s has \"%s\" operands, but its frame is gone when the callee runs",
             callee_name(call), tag);
    if (is_leaf_call(call))
        return;
    set_call_attribute(c->context, call, LEAF_ATTRIBUTE, "");
    deviate(c, DEVIATION_LEAF_TAIL);
}

/* Puts one call in order. Those of assembly and musttail calls are leaves then. */
static void repair_form(struct compile *c, LLVMValueRef call) {
    LLVMValueRef f = function_of(call);
    if (!is_statepoint_gc(LLVMGetGC(f)))
        return;
    keep_assembly(c, call);
    keep_musttail(c, f, call);
    if (!is_safepoint(c, call) || intrinsic_name(call))
        return;
    keep_arguments(c, call);
    drop_returned(c, call);
    name_arguments(c, call);
}

sm_status call_forms_repair(struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module), next; call; call = next) {
        next = next_module_call(call);
        repair_form(c, call);
    }
    return c->errors ? SM_CANNOT_REWRITE : SM_OK;
}
