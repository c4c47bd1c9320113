/* derived.c - may a value be a pointer into an object, and not the object's own address? */
#include "aggregate_parts.h"
#include "analysis.h"
#include "ir.h"

/* Adds to ALL what V is the relocation of, if it has another base; 1 if that is not clear. */
static int visit_relocation(struct set *all, LLVMValueRef v) {
    LLVMValueRef statepoint = statepoint_of_token(LLVMGetOperand(v, RELOCATE_TOKEN));
    if (LLVMGetOperand(v, RELOCATE_BASE) == LLVMGetOperand(v, RELOCATE_DERIVED))
        return 0;
    LLVMValueRef from = statepoint ? relocate_names(v, RELOCATE_DERIVED, statepoint) : NULL;
    if (from)
        set_add(all, from);
    return !from;
}

enum { ANY_WAY = 0 };

/* Adds to ALL the operands of V with references that it passes on in these WAYS, or all. */
static void add_references(struct set *all, LLVMValueRef v, unsigned ways) {
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        if ((ways == ANY_WAY || flow_at(v, (unsigned)k) & ways) &&
            holds_reference(LLVMTypeOf(LLVMGetOperand(v, (unsigned)k))))
            set_add(all, LLVMGetOperand(v, (unsigned)k));
}

/* Adds to ALL the pointers that V may be; 1 if V is derived from another one, by a getelementptr or as relocated. */
static int visit_origin_derived(LLVMValueRef v, struct set *all, void *arg) {
    (void)arg;
    if (!LLVMIsAInstruction(v))
        return 0;
    if (is_relocate(v))
        return visit_relocation(all, v);
    if (LLVMIsAGetElementPtrInst(v) && leads_elsewhere(v))
        return 1;
    add_references(all, v, FLOW_SAME | FLOW_CAST | FLOW_CHOICE | FLOW_STEP | FLOW_VECTOR | FLOW_BACK);
    return 0;
}

/* 1 if V may be derived: a getelementptr leads to it, also by way of phis, selects and casts. */
int is_derived_among(struct derivations *known, LLVMValueRef v) {
    return reaches(&known->derived, v, visit_origin_derived, NULL);
}

/* 1 if V is computed from its operands in a way that the rewrite does not look through: an extractvalue, an intrinsic
 * that does not load, or inline assembly. */
static int is_opaque(LLVMValueRef v) {
    static const char loads[] = "llvm.experimental.gc.,llvm.masked.load.,llvm.masked.gather.,llvm.masked.expandload.,"
                                "llvm.vp.load.,llvm.vp.gather.,llvm.experimental.vp.strided.load.";
    if (!is_call(v))
        return LLVMIsAExtractValueInst(v) != NULL;
    const char *name = intrinsic_name(v);
    return name ? !list_begins(loads, name) : LLVMIsAInlineAsm(LLVMGetCalledValue(v)) != NULL;
}

/* Adds to ALL what may be in V, looking through what passes values on; 1 if V is a derived pointer. */
static int visit_held(LLVMValueRef v, struct set *all, void *arg) {
    struct derivations *known = arg;
    LLVMValueRef part =
        LLVMIsAExtractValueInst(v) ? part_of(LLVMGetOperand(v, 0), LLVMGetIndices(v), LLVMGetNumIndices(v)) : NULL;
    if (part) /* what else was put in does not matter */
        set_add(all, part);
    else if (is_reference(v) && is_derived_among(known, v))
        return 1;
    else if (LLVMIsAInstruction(v))
        add_references(all, v, is_opaque(v) ? ANY_WAY : FLOW_INTO_STRUCT | FLOW_CHOICE | FLOW_SAME);
    return 0;
}

/* 1 if V is a reference that may be a derived pointer whose base the rewrite would not find. */
int is_opaque_derived_among(struct derivations *known, LLVMValueRef v) {
    return LLVMIsAInstruction(v) && is_reference(v) && is_opaque(v) && reaches(&known->held, v, visit_held, known);
}
