/* advice_values.c - warnings of values that the collector does not see, or takes for something else, by what the
 * module says: pointers of other address spaces, references that are computed from integers, derived pointers that
 * another function takes for objects.
 */
#include "analysis.h"
#include "ir.h"
#include "rewrite.h"
#include "steps.h"

#include <llvm-c/Core.h>

/* ---- Pointers of other address spaces ------------------------------------------------------------------------ */

/* 1 if T is a pointer, or a vector of pointers, of an address space above 1 that is not a target's own: 0 is not
 * collected, and 1 holds references. */
static int is_advised_foreign(LLVMTypeRef t) {
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMVectorTypeKind)
        return is_advised_foreign(LLVMGetElementType(t));
    unsigned space = kind == LLVMPointerTypeKind ? LLVMGetPointerAddressSpace(t) : 0;
    return space > 1 && !is_targets_space(space);
}

/* Warns if V is a pointer of a foreign address space and alive across a safepoint, as it is not reported to
 * the collector. */
static sm_status visit_value(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    if (holds_compressed(LLVMGetModuleDataLayout(c->module), LLVMTypeOf(v)))
        return SM_OK; /* it is kept in a slot that the collector sees */
    LLVMValueRef call = is_advised_foreign(LLVMTypeOf(v)) ? live_across(c, v) : NULL;
    if (!call)
        return SM_OK;
    const char *name = value_name(v);
    char *type = LLVMPrintTypeToString(LLVMTypeOf(v));
    advise(c,
           "Function '%s': %s%s, of type %s, is alive across the call of %s, and no collector finds it: references "
           "are pointers of address space 1",
           value_name(f), name[0] ? "%" : "a value", name, type, safepoint_name(call));
    LLVMDisposeMessage(type);
    return SM_OK;
}

/* 1 if TYPE is a scalar reference. */
static int is_scalar_reference(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && holds_reference(type);
}

/* ---- References that are computed from integers
 * --------------------------------------------------------------------- */

/* The inttoptr, of a value that is neither a constant nor an immediate number, that V is or is derived from; NULL if
 * there is none. */
static LLVMValueRef is_of_integer(LLVMValueRef v) {
    v = stepped_from(v, FLOW_STEP | FLOW_CAST | FLOW_SAME);
    return LLVMIsAIntToPtrInst(v) && !LLVMIsConstant(LLVMGetOperand(v, 0)) && !is_immediate(LLVMGetOperand(v, 0))
               ? v
               : NULL;
}

/* Warns if V is computed from an integer and alive across a safepoint, as it is then reported as an object
 * of its own. */
static sm_status visit_int_to_ref(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    LLVMValueRef created = is_scalar_reference(LLVMTypeOf(v)) ? is_of_integer(v) : NULL;
    if (!created || created == c->rewrite.advised)
        return SM_OK;
    LLVMValueRef call = live_across(c, v);
    if (!call)
        return SM_OK;
    const char *name = value_name(created);
    c->rewrite.advised = created;
    advise(c,
           "Function '%s': %s%s comes from an integer (inttoptr), and is alive across the call of %s: the "
           "collector takes it for an object of its own; keep the reference itself, or use smd.gc.to_int and "
           "smd.gc.from_int, whose "
           "integers are roots",
           value_name(f), name[0] ? "%" : "a reference", name, safepoint_name(call));
    return SM_OK;
}

/* Warns of pointers of foreign address spaces, and of references computed from integers, that are alive across
 * safepoints. */
sm_status advise_spaces(struct compile *c) {
    sm_status s = check_values(c, visit_value);
    return s == SM_OK ? check_values(c, visit_int_to_ref) : s;
}

/* ---- Derived pointers that go from one function to another ---------------------------------------------------- */

/* 1 if a return of F gives a derived pointer. */
static int returns_derived(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (end && LLVMIsAReturnInst(end) && LLVMGetNumOperands(end) && is_derived(LLVMGetOperand(end, 0)))
            return 1;
    }
    return 0;
}

/* Warns if the result of CALL is derived in its callee and alive in F across a safepoint: it is reported as its own
 * base. */
static void visit_result(struct compile *c, LLVMValueRef f, LLVMValueRef call, LLVMValueRef callee) {
    if (!is_scalar_reference(LLVMTypeOf(call)) || !returns_derived(callee))
        return;
    LLVMValueRef at = live_across(c, call);
    if (!at)
        return;
    advise(c,
           "Function '%s': the result of %s is derived from an object's address, and alive across the call of %s: "
           "the collector takes it for its own base; return the object and the distance",
           value_name(f), callee_name(call), safepoint_name(at));
}

/* Warns of each derived argument of CALL that is alive across a safepoint in its callee: there it is reported as its
 * own base. */
static void visit_arguments(struct compile *c, LLVMValueRef f, LLVMValueRef call, LLVMValueRef callee) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < LLVMCountParams(callee); i++) {
        LLVMValueRef v = LLVMGetOperand(call, i), parameter = LLVMGetParam(callee, i);
        if (!is_scalar_reference(LLVMTypeOf(v)) || !is_scalar_reference(LLVMTypeOf(parameter)) || !is_derived(v))
            continue;
        LLVMValueRef at = live_across(c, parameter);
        if (!at)
            continue;
        advise(c,
               "Function '%s': argument %u of the call of %s is derived from an object's address, and alive there "
               "across the call of %s: the collector takes it for its own base; give the object and the distance",
               value_name(f), i + 1, callee_name(call), safepoint_name(at));
    }
}

/* Warns of derived pointers that are returned or given as arguments. Fails only if the module is at fault. */
sm_status advise_derived(struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call)) {
        LLVMValueRef callee = LLVMGetCalledValue(call), f = function_of(call);
        if (!LLVMIsAFunction(callee) || LLVMIsDeclaration(callee))
            continue;
        if (is_statepoint_gc(LLVMGetGC(f)))
            visit_result(c, f, call, callee);
        if (is_statepoint_gc(LLVMGetGC(callee)))
            visit_arguments(c, f, call, callee);
    }
    return c->errors ? SM_CANNOT_REWRITE : SM_OK;
}
