/* int_to_ref.c - references that are computed from integers which were kept across a safepoint: nothing reported them
 * to the collector, so the reference is a stale address. Immediate numbers (immediate.c) are no such integers. */
#include "analysis.h"
#include "base.h"
#include "ir.h"
#include "rewrite.h"
#include "set.h"
#include "state.h"
#include "steps.h"

#include <assert.h>
#include <string.h>

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

/* 1 if V comes from outside of what can be followed: a parameter, a load, the result of a call, and is wide
 * enough to hold an address. */
static int is_integer_foreign(LLVMValueRef v) {
    return (is_address_wide(LLVMTypeOf(v)) || has_room(LLVMTypeOf(v))) &&
           (LLVMIsAArgument(v) || LLVMIsALoadInst(v) || LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) ||
            LLVMIsAExtractValueInst(v) || LLVMIsAAtomicRMWInst(v));
}

/* Operand number I of V, whose bits V passes on, but for tags, shifts or selection; NULL if it does not pass them on. */
static LLVMValueRef taken_from(LLVMValueRef v, unsigned i) {
    unsigned flow = flow_at(v, i);
    int is_taken = flow & (FLOW_SAME | FLOW_CAST | FLOW_CHOICE | FLOW_NARROWER | FLOW_VECTOR | FLOW_STRUCT) ||
                   (flow & FLOW_ARITHMETIC && i == 0 && LLVMIsConstant(LLVMGetOperand(v, 1))) ||
                   (i == 0 && LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMLShr);
    return is_taken ? LLVMGetOperand(v, i) : NULL;
}

/* How many operands V has that could be. */
static unsigned operands_of(LLVMValueRef v) {
    return LLVMIsAInstruction(v) ? (unsigned)LLVMGetNumOperands(v) : 0;
}

/* 1 if the integer V takes its bits from a load, a parameter or a call. SEEN: empty; gets what was looked at. */
static int comes_from_elsewhere_integer(struct set *seen, LLVMValueRef v) {
    int result = 0;
    set_add(seen, v);
    for (size_t i = 0; i < seen->count && !result; i++) {
        LLVMValueRef at = seen->item[i], from;
        result = is_integer_foreign(at);
        for (unsigned k = 0; k < operands_of(at); k++)
            if ((from = taken_from(at, k)) != NULL)
                set_add(seen, from);
    }
    return result;
}

/* Refuses the integer FROM if it came from elsewhere and a safepoint lies between it and its use TO, on its path to
 * CREATED, the reference that is computed from it. */
static sm_status check_step(struct compile *c, LLVMValueRef f, LLVMValueRef from, LLVMValueRef to,
                            LLVMValueRef created) {
    struct set seen = {0};
    int is_foreign = !LLVMIsConstant(from) && comes_from_elsewhere_integer(&seen, from);
    set_free(&seen);
    LLVMValueRef safepoint = is_foreign ? crosses(c, from, to) : NULL;
    if (!safepoint)
        return SM_OK;
    char *was = LLVMPrintValueToString(from), *is = LLVMPrintValueToString(created);
    sm_status s =
        fail(c, SM_SAFEPOINT_VIOLATION, f,
             "The integer '%.300s' is kept across the call of %.200s, and turned into a reference by '%.300s': the "
             "collector would not find it; turn it into a reference before the call",
             was + strspn(was, " "), safepoint_name(safepoint), is + strspn(is, " "));
    LLVMDisposeMessage(was);
    LLVMDisposeMessage(is);
    return s;
}

/* Visitor: refuses CREATED, a reference computed from an integer, if that integer came from elsewhere and crossed a
 * safepoint. */
static sm_status check_int_to_ref(struct compile *c, LLVMValueRef f, LLVMValueRef created) {
    struct set all = {0};
    if (!LLVMIsAIntToPtrInst(created) || !is_reference(created))
        return SM_OK;
    LLVMValueRef from = LLVMGetOperand(created, 0);
    sm_status s = check_step(c, f, from, created, created);
    set_add(&all, from);
    for (size_t i = 0; s == SM_OK && i < all.count; i++)
        for (unsigned k = 0; s == SM_OK && k < operands_of(all.item[i]); k++) {
            if ((from = taken_from(all.item[i], k)) == NULL)
                continue;
            s = check_step(c, f, from, all.item[i], created);
            set_add(&all, from);
        }
    set_free(&all);
    return s;
}

/* Refuses references that are computed from integers which crossed a safepoint. Requires the rewritten module. */
sm_status int_to_ref_check(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    return check_values(c, check_int_to_ref);
}
