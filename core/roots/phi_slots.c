/* phi_slots.c - phis of values that are kept in slots across safepoints, and whose values come from after an invoke.
 *
 * Such a value is loaded from its slot where it is used (value_slots.c), and a phi uses it at the end of the block
 * that it comes from. If that is an invoke, the value would be loaded before it and be old on its edge. A phi of one
 * edge is its value; any other gets a slot of its own, which is stored to before the invokes, read after them, and a
 * root between. A phi of structs, arrays or vectors becomes one for each part.
 */
#include "aggregate_parts.h"
#include "ir.h"
#include "scopes.h"

/* 1 if the phi takes value number I, which is no constant, from a block that ends in an invoke. */
static int comes_from_invoke_phi(LLVMValueRef phi, unsigned i) {
    return !LLVMIsAConstant(LLVMGetIncomingValue(phi, i)) &&
           LLVMIsAInvokeInst(LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
}

/* 1 if V is a phi that takes a value from a block that ends in an invoke. */
int phi_crosses_invoke(LLVMValueRef v) {
    for (unsigned i = 0; LLVMIsAPHINode(v) && i < LLVMCountIncoming(v); i++)
        if (comes_from_invoke_phi(v, i))
            return 1;
    return 0;
}

/* 1 if the phi has an incoming value before number K from the same block. */
static int is_stored_before(LLVMValueRef phi, unsigned k) {
    for (unsigned i = 0; i < k; i++)
        if (LLVMGetIncomingBlock(phi, i) == LLVMGetIncomingBlock(phi, k))
            return 1;
    return 0;
}

/* 1 if the type is a pointer or an integer. */
static int is_phi_plain(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind || LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

/* Builds, before PHI, a phi of one part of its values, which is extracted at the end of each incoming block. */
static LLVMValueRef phi_of_part(LLVMBuilderRef b, LLVMValueRef phi, const struct leaf *part) {
    LLVMPositionBuilderBefore(b, phi);
    LLVMValueRef created = LLVMBuildPhi(b, part->type, "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef taken = NULL;
        for (unsigned k = 0; k < i && !taken; k++) /* a block may come in more than once, with one value */
            taken = LLVMGetIncomingBlock(phi, k) == from ? LLVMGetIncomingValue(created, k) : NULL;
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from));
        taken = taken ? taken : leaf_extract(b, part, LLVMGetIncomingValue(phi, i));
        LLVMAddIncoming(created, &taken, &from, 1);
    }
    return created;
}

/* Replaces PHI, of structs, arrays or vectors, by phis of its parts, those with references in slots, and *CREATED,
 * which is put together of them. */
static sm_status resolve_parts(struct compile *c, LLVMValueRef f, LLVMValueRef phi, struct leaves *parts,
                               LLVMValueRef *created) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef part[LEAVES_MAX], place;
    sm_status s = SM_OK;
    for (unsigned i = 0; i < parts->count; i++)
        part[i] = phi_of_part(b, phi, &parts->leaf[i]);
    for (unsigned i = 0; s == SM_OK && i < parts->count; i++)
        if (holds_root(LLVMGetModuleDataLayout(c->module), parts->leaf[i].type))
            s = phi_resolve(c, f, part[i], SCOPE_VALUE, &part[i]);
    place = place_after(f, phi);
    while (LLVMIsALoadInst(place) && LLVMIsAAllocaInst(LLVMGetOperand(place, 0)))
        place = LLVMGetNextInstruction(place); /* the parts are loaded there */
    LLVMPositionBuilderBefore(b, place);
    *created = LLVMGetPoison(LLVMTypeOf(phi));
    for (unsigned i = 0; s == SM_OK && i < parts->count; i++)
        *created = leaf_insert(b, &parts->leaf[i], *created, part[i]);
    LLVMDisposeBuilder(b);
    if (s == SM_OK)
        replace_value(phi, *created);
    return s;
}

/* Replaces PHI by *CREATED: its value if it has one edge, else a load from a slot to which each incoming block stores
 * and that is a root. Refuses values that an invoke gives itself, which cannot be stored before it. */
sm_status phi_resolve(struct compile *c, LLVMValueRef f, LLVMValueRef phi, enum scope_mark mark,
                      LLVMValueRef *created) {
    LLVMTypeRef type = LLVMTypeOf(phi);
    struct leaves parts;
    *created = LLVMGetIncomingValue(phi, 0);
    if (LLVMCountIncoming(phi) == 1) {
        replace_value(phi, *created);
        return SM_OK;
    }
    int is_there = 1;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        is_there &= LLVMGetIncomingValue(phi, i) != LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));
    if (is_there && !is_phi_plain(type) && mark == SCOPE_VALUE && leaves_find(&parts, type, 1))
        return resolve_parts(c, f, phi, &parts, created);
    if (!is_there || !is_phi_plain(type)) {
        char *text = LLVMPrintValueToString(phi);
        fail(c, SM_CANNOT_REWRITE, f,
             "'%.200s' joins values with compressed or tagged references after invokes: join the references one by "
             "one, in blocks of their own",
             text);
        LLVMDisposeMessage(text);
        return SM_CANNOT_REWRITE;
    }
    LLVMBuilderRef b = builder_at(first_instruction(f));
    LLVMValueRef slot = LLVMBuildAlloca(b, type, "smd.value");
    scope_mark(c, past_allocas(f), mark, slot, LLVMConstPointerNull(LLVMPointerTypeInContext(c->context, 0)));
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (is_stored_before(phi, i))
            continue;
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
        LLVMBuildStore(b, LLVMGetIncomingValue(phi, i), slot);
    }
    LLVMPositionBuilderBefore(b, place_after(f, phi));
    *created = LLVMBuildLoad2(b, type, slot, "");
    LLVMDisposeBuilder(b);
    replace_value(phi, *created);
    return SM_OK;
}
