/* int_to_ref.c - references that are computed from integers which were kept across a safepoint: nothing reported them
 * to the collector, so the reference is a stale address. Immediate numbers (immediate.c) are no such integers. */
#include "analysis.h"
#include "ir.h"
#include "reference_layout.h"
#include "steps.h"

/* 1 if a value of T is no pointer, and is wide enough to hold one: wide integers and doubles, vectors and structs, of
 * which a part may become an integer. */
static int has_room(LLVMTypeRef t) {
    enum { ADDRESS_BITS = 64 };
    LLVMTypeKind kind = LLVMGetTypeKind(element_type(t));
    if (kind == LLVMPointerTypeKind || kind == LLVMVoidTypeKind || kind == LLVMTokenTypeKind)
        return 0;
    if (kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind)
        return LLVMGetTypeKind(t) != kind; /* a vector of them */
    if (kind == LLVMIntegerTypeKind)
        return LLVMGetTypeKind(t) != kind || LLVMGetIntTypeWidth(t) >= ADDRESS_BITS;
    return 1;
}

/* The integers of one function. */
struct integers {
    struct compile *c;
    LLVMValueRef function;
    struct set checked;  /* those that references are computed from: each is looked at once */
    struct set harmless; /* those that come from nowhere else */
    struct crossings crossings;
};

/* 1 if V comes from outside of what can be followed: a parameter, a load, the result of a call, and is wide
 * enough to hold an address. Checked arithmetic gives none. */
static int is_integer_foreign(LLVMValueRef v) {
    return !is_pointer(v) && !is_immediate(v) && (is_address_wide(LLVMTypeOf(v)) || has_room(LLVMTypeOf(v))) &&
           (LLVMIsAArgument(v) || LLVMIsALoadInst(v) || LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) ||
            LLVMIsAExtractValueInst(v) || LLVMIsAAtomicRMWInst(v));
}

/* Operand number I of V, whose bits V passes on, but for tags, shifts or selection; NULL if it does not pass them on. */
static LLVMValueRef taken_from(LLVMValueRef v, unsigned i) {
    enum {
        TAKEN = FLOW_ADDRESS | FLOW_MASK | FLOW_BACK | FLOW_EXTREME | FLOW_BITS | FLOW_NARROWER | FLOW_VECTOR |
                FLOW_STRUCT
    };
    unsigned flow = flow_at(v, i);
    int is_taken = (flow & TAKEN && !is_reference(LLVMGetOperand(v, i))) ||
                   (flow & FLOW_WIDER && has_room(LLVMTypeOf(LLVMGetOperand(v, i)))) ||
                   (flow & FLOW_ARITHMETIC && i == 0 && LLVMIsConstant(LLVMGetOperand(v, 1))) ||
                   (i == 0 && LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMLShr);
    return is_taken ? LLVMGetOperand(v, i) : NULL;
}

/* How many operands V has that could be. */
static unsigned operands_of(LLVMValueRef v) {
    return LLVMIsAInstruction(v) ? (unsigned)LLVMGetNumOperands(v) : 0;
}

/* 1 if the integer V takes its bits from a load, a parameter or a call. */
static int comes_from_elsewhere_integer(struct integers *x, LLVMValueRef v) {
    size_t first = x->harmless.count;
    int result = 0;
    set_add(&x->harmless, v);
    for (size_t i = first; i < x->harmless.count && !result; i++) {
        LLVMValueRef at = x->harmless.item[i], from;
        result = is_integer_foreign(at);
        for (unsigned k = 0; k < operands_of(at); k++)
            if ((from = taken_from(at, k)) != NULL)
                set_add(&x->harmless, from);
    }
    return result; /* 1 ends the compile: the others need not be removed */
}

/* Refuses the integer FROM if it came from elsewhere and a safepoint lies between V, which is it or stores it, and USER, on
 * its path to CREATED, the reference that is computed from it. */
static sm_status check_crossing(struct integers *x, LLVMValueRef from, LLVMValueRef v, LLVMValueRef user,
                                LLVMValueRef created) {
    if (!crossings_between(&x->crossings, x->c, v, user) || !comes_from_elsewhere_integer(x, from))
        return SM_OK;
    return fail(
        x->c, SM_SAFEPOINT_VIOLATION, x->function,
        "The integer '%.300s' is kept across the call of %.200s, and turned into a reference by '%.300s': the "
        "collector would not find it; turn it into a reference before the call",
        value_text(from), safepoint_name(crosses(x->c, v, user)), value_text(created));
}

/* Refuses the integer FROM if it came from elsewhere and a safepoint lies between it and its use TO. */
static sm_status check_step(struct integers *x, LLVMValueRef from, LLVMValueRef to, LLVMValueRef created) {
    return LLVMIsConstant(from) ? SM_OK : check_crossing(x, from, from, to, created);
}

/* V is read from memory: adds what was written there to those to check, if that is a stack slot's. Refuses integers
 * from elsewhere that crossed a safepoint before they were written, or between that and the read. */
static sm_status check_memory(struct integers *x, LLVMValueRef v, LLVMValueRef created) {
    struct set memory = {0}, stores = {0};
    sm_status s = SM_OK;
    if (flow_access(v).from)
        flow_memory(&memory, flow_access(v).from);
    for (size_t i = 0; i < memory.count; i++)
        if (LLVMIsAAllocaInst(memory.item[i]) && !region_find(x->c, memory.item[i]) &&
            !set_has(&x->c->casts, memory.item[i]))
            flow_stored(memory.item[i], &stores);
    for (size_t i = 0; s == SM_OK && i < stores.count; i++) {
        LLVMValueRef value = flow_access(stores.item[i]).value;
        if (is_reference(value) || LLVMIsConstant(value))
            continue;
        s = check_step(x, value, stores.item[i], created);
        if (s == SM_OK && has_room(LLVMTypeOf(value)))
            s = check_crossing(x, value, stores.item[i], v, created);
        set_add(&x->checked, value);
    }
    set_free(&memory);
    set_free(&stores);
    return s;
}

/* 1 if the address is one in a slot that has references alone. */
static int is_among_references(LLVMValueRef address) {
    LLVMValueRef slot = stepped_from(address, FLOW_STEP | FLOW_CAST);
    LLVMTypeRef type = LLVMIsAAllocaInst(slot) ? LLVMGetAllocatedType(slot) : NULL;
    while (type && LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    return type && LLVMGetTypeKind(element_type(type)) == LLVMPointerTypeKind && holds_reference(type);
}

/* The integer that I makes a reference of: it casts it, or writes it to a slot of references. NULL if I makes none. */
static LLVMValueRef made_reference_of(LLVMValueRef i) {
    if (LLVMIsAIntToPtrInst(i))
        return is_reference(i) ? LLVMGetOperand(i, 0) : NULL;
    if (is_call(i))
        return NULL;
    struct memory_access access = flow_access(i);
    int is_made = access.value && has_room(LLVMTypeOf(access.value)) && !holds_reference(LLVMTypeOf(access.value)) &&
                  is_among_references(access.to);
    return is_made ? access.value : NULL;
}

/* Refuses CREATED, which makes a reference of the integer FROM, if that came from elsewhere and crossed a safepoint. */
static sm_status check_created(struct integers *x, LLVMValueRef from, LLVMValueRef created) {
    size_t first = x->checked.count;
    sm_status s = check_step(x, from, created, created);
    set_add(&x->checked, from);
    for (size_t i = first; s == SM_OK && i < x->checked.count; i++) {
        LLVMValueRef at = x->checked.item[i];
        s = check_memory(x, at, created);
        for (unsigned k = 0; s == SM_OK && k < operands_of(at); k++) {
            if ((from = taken_from(at, k)) == NULL)
                continue;
            s = check_step(x, from, at, created);
            set_add(&x->checked, from);
        }
    }
    return s;
}

/* Checks the references that F computes from integers. */
static sm_status check_integers(struct compile *c, LLVMValueRef f, value_check *unused) {
    struct integers x = {.c = c, .function = f};
    sm_status s = SM_OK;
    LLVMValueRef from;
    (void)unused;
    for (LLVMValueRef i = first_instruction(f); s == SM_OK && i; i = instruction_after(i))
        if ((from = made_reference_of(i)) != NULL)
            s = check_created(&x, from, i);
    set_free(&x.checked);
    set_free(&x.harmless);
    crossings_free(&x.crossings);
    return s;
}

/* Refuses references that are computed from integers which crossed a safepoint. Requires the rewritten module. */
sm_status int_to_ref_check(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    return check_functions(c, check_integers, NULL);
}
