/* advice_values.c - warnings of values that the collector does not see, or takes for something else, by what the
 * module says: pointers of other address spaces, references that are computed from integers, derived pointers that
 * another function takes for objects.
 */
#include "analysis.h"
#include "ir.h"
#include "steps.h"

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
    if (c->moved.spaces)
        return SM_OK; /* the strategy says which ones are references */
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

/* References that are computed from integers, and of each the inttoptr that it is or is derived from, with the same
 * numbers. */
struct of_integers {
    struct set values, casts; /* owned */
    LLVMValueRef advised;     /* the last cast that there is advice of */
};

static void add_of_integer(struct of_integers *r, LLVMValueRef v, LLVMValueRef cast) {
    if (set_has(&r->values, v))
        return;
    set_add_again(&r->values, v);
    set_add_again(&r->casts, cast);
}

/* Finds those of F. Constants and immediate numbers are none. */
static void find_of_integers(struct of_integers *r, LLVMValueRef f) {
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (LLVMIsAIntToPtrInst(i) && !LLVMIsConstant(LLVMGetOperand(i, 0)) && !is_immediate(LLVMGetOperand(i, 0)))
            add_of_integer(r, i, i);
    for (size_t k = 0; k < r->values.count; k++)
        for (LLVMUseRef use = LLVMGetFirstUse(r->values.item[k]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (flow_at(user, 0) & (FLOW_STEP | FLOW_CAST | FLOW_SAME) &&
                LLVMGetOperand(user, 0) == r->values.item[k])
                add_of_integer(r, user, r->casts.item[k]);
        }
}

/* Warns if V, a reference that is computed from the integer that CREATED casts, is alive across a safepoint, as it is then
 * reported as an object of its own. */
static void visit_int_to_ref(struct compile *c, LLVMValueRef f, struct of_integers *r, LLVMValueRef v,
                             LLVMValueRef created) {
    if (!is_scalar_reference(LLVMTypeOf(v)) || created == r->advised)
        return;
    LLVMValueRef call = live_across(c, v);
    if (!call)
        return;
    const char *name = value_name(created);
    r->advised = created;
    advise(c,
           "Function '%s': %s%s comes from an integer (inttoptr), and is alive across the call of %s: the collector "
           "takes it for an object of its own; keep the reference itself, or use smd.gc.to_int and smd.gc.from_int, "
           "whose integers are roots",
           value_name(f), name[0] ? "%" : "a reference", name, safepoint_name(call));
}

/* Warns of F's references that are computed from integers, in the order of its instructions. */
static void advise_of_integers(struct compile *c, LLVMValueRef f) {
    struct of_integers r = {.advised = NULL};
    find_of_integers(&r, f);
    for (LLVMValueRef i = r.values.count ? first_instruction(f) : NULL; i; i = instruction_after(i)) {
        size_t n = set_number(&r.values, i);
        if (n < r.values.count)
            visit_int_to_ref(c, f, &r, i, r.casts.item[n]);
    }
    set_free(&r.values);
    set_free(&r.casts);
}

/* Warns of pointers of foreign address spaces, and of references computed from integers, that are alive across
 * safepoints. */
sm_status advise_spaces(struct compile *c) {
    sm_status s = check_values(c, visit_value);
    for (LLVMValueRef f = first_with_statepoints(c->module); s == SM_OK && c->has & HAS_INT_TO_PTR && f;
         f = next_with_statepoints(f))
        advise_of_integers(c, f);
    return s;
}

/* ---- Derived pointers that go from one function to another ---------------------------------------------------- */

/* What is known of all functions, and of their values. */
struct handing_on {
    struct compile *c;
    struct derivations known;
    struct set looked_at, give; /* functions, and those that give derived pointers back */
    struct set parameters, at;  /* with the same numbers: a call that it is alive across, or NULL */
};

/* 1 if a return of F gives a derived pointer. */
static int returns_derived(struct handing_on *h, LLVMValueRef f) {
    if (set_has(&h->looked_at, f))
        return set_has(&h->give, f);
    set_add(&h->looked_at, f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (end && LLVMIsAReturnInst(end) && LLVMGetNumOperands(end) &&
            is_derived_among(&h->known, LLVMGetOperand(end, 0))) {
            set_add(&h->give, f);
            return 1;
        }
    }
    return 0;
}

/* A call that the PARAMETER is alive across; NULL if there is none. */
static LLVMValueRef parameter_across(struct handing_on *h, LLVMValueRef parameter) {
    size_t i = set_number(&h->parameters, parameter);
    if (i == h->parameters.count) {
        set_add_again(&h->parameters, parameter);
        set_add_again(&h->at, live_across(h->c, parameter));
    }
    return h->at.item[i];
}

/* Warns if the result of CALL is derived in its callee and alive in F across a safepoint: it is reported as its own
 * base. */
static void visit_result(struct handing_on *h, LLVMValueRef f, LLVMValueRef call, LLVMValueRef callee) {
    if (!is_scalar_reference(LLVMTypeOf(call)) || !returns_derived(h, callee))
        return;
    LLVMValueRef at = live_across(h->c, call);
    if (!at)
        return;
    advise(h->c,
           "Function '%s': the result of %s is derived from an object's address, and alive across the call of %s: "
           "the collector takes it for its own base; return the object and the distance",
           value_name(f), callee_name(call), safepoint_name(at));
}

/* Warns of each derived argument of CALL that is alive across a safepoint in its callee: there it is reported as its
 * own base. */
static void visit_arguments(struct handing_on *h, LLVMValueRef f, LLVMValueRef call, LLVMValueRef callee) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < LLVMCountParams(callee); i++) {
        LLVMValueRef v = LLVMGetOperand(call, i), parameter = LLVMGetParam(callee, i);
        if (!is_scalar_reference(LLVMTypeOf(v)) || !is_scalar_reference(LLVMTypeOf(parameter)) ||
            !is_derived_among(&h->known, v))
            continue;
        LLVMValueRef at = parameter_across(h, parameter);
        if (!at)
            continue;
        advise(h->c,
               "Function '%s': argument %u of the call of %s is derived from an object's address, and alive there "
               "across the call of %s: the collector takes it for its own base; give the object and the distance",
               value_name(f), i + 1, callee_name(call), safepoint_name(at));
    }
}

/* Warns of derived pointers that are returned or given as arguments. Fails only if the module is at fault. */
sm_status advise_derived(struct compile *c) {
    struct handing_on h = {.c = c};
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call)) {
        LLVMValueRef callee = LLVMGetCalledValue(call), f = function_of(call);
        if (!LLVMIsAFunction(callee) || LLVMIsDeclaration(callee))
            continue;
        if (is_statepoint_gc(LLVMGetGC(f)))
            visit_result(&h, f, call, callee);
        if (is_statepoint_gc(LLVMGetGC(callee)))
            visit_arguments(&h, f, call, callee);
    }
    derivations_free(&h.known);
    set_free(&h.looked_at);
    set_free(&h.give);
    set_free(&h.parameters);
    set_free(&h.at);
    return c->errors ? SM_CANNOT_REWRITE : SM_OK;
}
