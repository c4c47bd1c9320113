/* typed_roots.c - types of roots that are no scoped ones:
 *
 *     %slot = alloca T, !smd.type !{i64 7}                                  what is in the slot, where it is a region
 *     call … [ "gc-type"(ptr addrspace(1) %v, i64 7, ptr addrspace(1) %w, ptr @t) ]    values that are alive across the call
 *
 * A type is a number or the address of a global (root_types.c). LLVM's record has no room for one beside a pair, and
 * orders pairs as it likes; so a value with a type is kept in a slot from its definition on, as those of
 * llvm.gc.value are (value_slots.c), and is a region wherever it is alive across a safepoint. An alloca with a type stays
 * one: a call that may use it stands after it while the optimiser runs.
 */
#include "deviations.h"
#include "gctypes.h"
#include "ir.h"
#include "marks.h"
#include "reference_layout.h"
#include "roots.h"
#include "scopes.h"

#define BUNDLE "gc-type"

/* ---- Slots --------------------------------------------------------------------------------------------------- */

/* The function whose calls keep typed slots known to the optimiser; declared at the first use. */
static LLVMValueRef marker_typed(struct compile *c) {
    LLVMTypeRef ptr = LLVMPointerTypeInContext(c->context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), &ptr, 1, 1);
    LLVMValueRef f = declared_function(c->module, TYPED_SLOT, type);
    set_function_attribute(f, "nomerge");
    return f;
}

/* Puts a leaf call on SLOT and TYPE right after the alloca, so that the optimiser keeps both. */
static void keep_slot(struct compile *c, LLVMValueRef slot, LLVMValueRef type) {
    LLVMValueRef args[] = {slot, type};
    leaf_call_before(LLVMGetNextInstruction(slot), marker_typed(c), args, 2);
}

/* Marks every alloca of F with references and !smd.type. */
static void keep_slots(struct compile *c, LLVMValueRef f) {
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (LLVMIsAAllocaInst(i) && holds_root(LLVMGetModuleDataLayout(c->module), LLVMGetAllocatedType(i)) &&
            type_in_metadata(c, i))
            keep_slot(c, i, type_in_metadata(c, i));
}

/* After the optimiser: moves each marked slot and its type, as a pair, to c->typed_slots, and erases the marks. Of
 * several types of one slot the first counts. */
static void take_slots(struct compile *c) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, TYPED_SLOT);
    for (LLVMUseRef u; f && (u = LLVMGetFirstUse(f)) != NULL;) {
        LLVMValueRef call = LLVMGetUser(u);
        if (!set_has(&c->typed_slots, LLVMGetOperand(call, 0))) {
            set_add(&c->typed_slots, LLVMGetOperand(call, 0));
            set_add_again(&c->typed_slots, LLVMGetOperand(call, 1));
        }
        LLVMInstructionEraseFromParent(call);
    }
    if (f)
        LLVMDeleteFunction(f);
}

/* Sets the types in c->typed_slots on the regions of their slots. */
sm_status gctypes_apply(struct compile *c) {
    sm_status s = SM_OK;
    for (size_t i = 0; s == SM_OK && i + 1 < c->typed_slots.count; i += 2) {
        LLVMValueRef slot = c->typed_slots.item[i];
        LLVMValueRef f = function_of(slot);
        s = region_set_type(c, f, slot, c->typed_slots.item[i + 1]);
    }
    return s;
}

/* ---- Values -------------------------------------------------------------------------------------------------- */

/* Values of one function, and their types, with the same numbers. */
struct typed {
    struct compile *c;
    struct set calls, values, types;
};

/* Reports that the "gc-type" operands of CALL are wrong; the caller finds it in c->errors. */
static void refuse_types(struct compile *c, LLVMValueRef f, LLVMValueRef call, const char *what) {
    fail(c, SM_INVALID_GCROOT, f, "The \"gc-type\" operands of the call of %.200s: %s", callee_name(call), what);
}

/* Notes the types that CALL's "gc-type" operands give, and reports a value that another call gives another type. (Behind the
 * optimiser a value may have several, of functions that were inlined: each is right then, and the first counts.) */
static void check_types(struct typed *t, LLVMValueRef f, LLVMValueRef call) {
    struct operands typed = call_operands(call, BUNDLE);
    for (unsigned i = typed.first; !t->c->errors && i + 1 < typed.end; i += 2) {
        LLVMValueRef v = LLVMGetOperand(call, i), type = LLVMGetOperand(call, i + 1);
        if (LLVMIsConstant(v))
            continue;
        if (!set_has(&t->values, v)) {
            set_add_again(&t->values, v);
            set_add_again(&t->types, type);
        } else if (t->types.item[set_number(&t->values, v)] != type) {
            fail(t->c, SM_INVALID_GCROOT, f, "%%%.200s has two types: give each a slot or a value of its own",
                 value_name(v));
        }
    }
}

/* Frees what is noted of a function. */
static void typed_free(struct typed *t) {
    set_free(&t->calls);
    set_free(&t->values);
    set_free(&t->types);
}

/* Notes that V has TYPE, by CALL, unless it has one; reports a value that holds no reference. Constants are ignored. */
static void add_pair_typed(struct typed *t, LLVMValueRef f, LLVMValueRef call, LLVMValueRef v, LLVMValueRef type) {
    if (LLVMIsConstant(v))
        return; /* nothing that moves */
    if (t->c->tags && LLVMTypeOf(v) == LLVMInt64TypeInContext(t->c->context))
        return; /* a tagged one, which was looked at (gctype_of) */
    if (!holds_root(LLVMGetModuleDataLayout(t->c->module), LLVMTypeOf(v))) {
        refuse_types(t->c, f, call, "a type is of a reference, and one of these values is none");
        return;
    }
    if (set_has(&t->values, v))
        return;
    set_add_again(&t->values, v);
    set_add_again(&t->types, type);
}

/* The type that the "gc-type" operands of CALL give V; NULL if they give none, or CALL is no call. */
static LLVMValueRef typed_type_at(LLVMValueRef call, LLVMValueRef v) {
    struct operands typed = {0, 0};
    LLVMValueRef type = NULL;
    if (LLVMIsACallInst(call) || LLVMIsAInvokeInst(call))
        typed = call_operands(call, BUNDLE);
    for (unsigned i = typed.first; i + 1 < typed.end; i += 2)
        if (LLVMGetOperand(call, i) == v)
            type = LLVMGetOperand(call, i + 1);
    return type;
}

/* The type that some call gives V; NULL if none does. */
LLVMValueRef gctype_of(LLVMValueRef v) {
    LLVMValueRef type = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && !type; u = LLVMGetNextUse(u))
        type = typed_type_at(LLVMGetUser(u), v);
    return type;
}

/* 1 if calls give V more than one type. */
int gctypes_differ(LLVMValueRef v) {
    LLVMValueRef first = gctype_of(v);
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef type = typed_type_at(LLVMGetUser(u), v);
        if (type && type != first)
            return 1;
    }
    return 0;
}

/* Before the optimiser: marks typed slots, and checks the types of values, in functions with statepoints. */
void gctypes_keep(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (is_statepoint_gc(LLVMGetGC(f))) {
            struct typed t = {.c = c};
            keep_slots(c, f);
            for (LLVMValueRef call = first_call(f); call; call = next_call(call))
                check_types(&t, f, call);
            typed_free(&t);
        }
}

/* Notes CALL and the value and type pairs of its "gc-type" operands; reports those in functions without
 * statepoints. */
static void find_typed_call(struct typed *t, LLVMValueRef f, LLVMValueRef call) {
    struct operands typed = call_operands(call, BUNDLE);
    if (!call_has_bundle(call, BUNDLE))
        return;
    if (!is_statepoint_gc(LLVMGetGC(f)))
        fail(t->c, SM_GC_MISMATCH, f, "\"gc-type\" operands need a function whose strategy has statepoints");
    else if ((typed.end - typed.first) % 2)
        refuse_types(t->c, f, call, "each value is followed by its type");
    for (unsigned i = typed.first; i + 1 < typed.end && !t->c->errors; i += 2)
        add_pair_typed(t, f, call, LLVMGetOperand(call, i), LLVMGetOperand(call, i + 1));
    set_add(&t->calls, call);
}

/* Rebuilds CALL without its "gc-type" operands; its result, where it has a type itself, is replaced among the values. */
static void drop(struct typed *t, LLVMValueRef call) {
    LLVMValueRef created = call_rebuild(call, LLVMGetCalledFunctionType(call), BUNDLE);
    size_t i = set_number(&t->values, call);
    if (i < t->values.count)
        set_replace(&t->values, i, created);
}

/* Takes the "gc-type" operands off all calls of F, and keeps each value that has a type in a slot. */
static sm_status take_in(struct compile *c, LLVMValueRef f) {
    struct typed t = {.c = c};
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        find_typed_call(&t, f, call);
    sm_status s = c->errors ? SM_INVALID_GCROOT : SM_OK;
    for (size_t i = 0; s == SM_OK && i < t.calls.count; i++)
        drop(&t, t.calls.item[i]);
    for (size_t i = 0; s == SM_OK && i < t.values.count; i++) {
        s = value_to_slot(c, f, t.values.item[i], TYPED_VALUE, t.types.item[i]);
        deviate(c, DEVIATION_SCOPES);
    }
    typed_free(&t);
    return s;
}

/* After the optimiser: collects the typed slots, and takes the typed values of all functions to slots. */
sm_status gctypes_take(struct compile *c) {
    sm_status s = SM_OK;
    take_slots(c);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            s = take_in(c, f);
    return s;
}
