/* alias_repair.c - casts of references that the optimiser has put together are taken apart again.
 *
 * It takes a cast that is executed twice for one, also where a safepoint lies between the two. A module that was
 * sound before is sound again after this: what lies between the cast and a use behind a safepoint is cloned before
 * that use.
 */
#include "aliases.h"
#include "deviations.h"
#include "ir.h"
#include "optimize.h"
#include "optimizing.h"

/* It makes one cast of two, and takes casts out of loops: a module that was in order has then one that crosses a
 * safepoint. So there what is computed from a cast is created again where it is used. */

/* As check_source_alias, but without a diagnostic. */
static sm_status is_sound_source(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    struct aliases a = {.c = c, .function = f, .quiet = 1};
    aliases_follow(&a, v);
    aliases_free(&a);
    return a.status;
}

/* 1 if no function uses across a safepoint what is computed from a cast reference. Gives no diagnostics: it is asked
 * before the optimiser, to know which errors would be the optimiser's. */
int aliases_are_sound(struct compile *c) {
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            s = aliases_visit_function(c, f, is_sound_source);
    return s == SM_OK;
}

/* 1 if the instruction can be cloned elsewhere: it reads no memory and is no phi. */
static int can_be_rebuilt(LLVMValueRef v) {
    return LLVMIsACastInst(v) || LLVMIsABinaryOperator(v) || LLVMIsAGetElementPtrInst(v) || LLVMIsASelectInst(v) ||
           LLVMIsAFreezeInst(v) || LLVMIsAExtractElementInst(v) || LLVMIsAInsertElementInst(v) ||
           LLVMIsAShuffleVectorInst(v);
}

/* The value that the alias V was computed from; NULL if V is the source, or is not known. */
static LLVMValueRef computed_from(const struct aliases *a, LLVMValueRef v) {
    size_t i = set_number(&a->values, v);
    return i < a->values.count ? a->followed[i].from : NULL;
}

/* The reference that V, an integer that a phi takes, is the address of: null for 0 and for what is undefined. NULL if
 * that is not to be seen. */
static LLVMValueRef reference_of(LLVMValueRef v, LLVMTypeRef reference) {
    if (LLVMIsAPtrToIntInst(v) && LLVMTypeOf(LLVMGetOperand(v, 0)) == reference)
        return LLVMGetOperand(v, 0);
    return LLVMIsUndef(v) || (LLVMIsAConstant(v) && LLVMIsNull(v)) ? LLVMConstNull(reference) : NULL;
}

/* Adds to ALL the phi V of addresses and those that it takes values of. 0 if one takes what is no reference's. */
static int find_phis(struct set *all, LLVMValueRef v, LLVMTypeRef reference) {
    set_add(all, v);
    for (size_t i = 0; i < all->count; i++)
        for (unsigned k = 0; k < LLVMCountIncoming(all->item[i]); k++) {
            LLVMValueRef from = LLVMGetIncomingValue(all->item[i], k);
            if (LLVMIsAPHINode(from))
                set_add(all, from);
            else if (!reference_of(from, reference))
                return 0;
        }
    return 1;
}

/* Builds phis of the references whose addresses the phis of ALL join, and gives that of the first. */
static LLVMValueRef build_phis(const struct aliases *a, const struct set *all, LLVMTypeRef reference) {
    LLVMValueRef *created = xcalloc(all->count + 1, sizeof *created), first;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(a->c->context);
    for (size_t i = 0; i < all->count; i++) {
        LLVMPositionBuilderBefore(b, all->item[i]);
        created[i] = LLVMBuildPhi(b, reference, "");
    }
    for (size_t i = 0; i < all->count; i++)
        for (unsigned k = 0; k < LLVMCountIncoming(all->item[i]); k++) {
            LLVMValueRef from = LLVMGetIncomingValue(all->item[i], k);
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(all->item[i], k);
            from = LLVMIsAPHINode(from) ? created[set_number(all, from)] : reference_of(from, reference);
            LLVMAddIncoming(created[i], &from, &block, 1);
        }
    LLVMDisposeBuilder(b);
    first = created[0];
    free(created);
    return first;
}

/* Builds the phi of references whose addresses V joins, which is a phi of integers: turning a loop, the optimiser
 * makes such a one of a phi of references and its cast. NULL if V is no such. */
static LLVMValueRef phi_of_references(const struct aliases *a, LLVMValueRef v) {
    LLVMTypeRef reference = LLVMTypeOf(LLVMGetOperand(a->wrong.source, 0));
    struct set all = {0};
    LLVMValueRef created = NULL;
    if (LLVMIsAPHINode(v) && LLVMIsAPtrToIntInst(a->wrong.source) && find_phis(&all, v, reference))
        created = build_phis(a, &all, reference);
    set_free(&all);
    return created;
}

/* Clones what lies between the source and the wrong use, source included, right before that user, so that the
 * reference is cast after the safepoint; from a phi of addresses on, what the reference becomes that it joins. 0 if a
 * part of it cannot be cloned. */
static int make_again(struct aliases *a) {
    enum { LINKS = 64 };
    LLVMValueRef link[LINKS + 1], clone = NULL, joined = NULL, v = a->wrong.value;
    size_t n = 0;
    for (; v && n < LINKS && can_be_rebuilt(v); v = computed_from(a, v))
        link[n++] = v;
    if (v && (n == LINKS || !(joined = phi_of_references(a, v))))
        return 0;
    LLVMBuilderRef b = builder_at(a->user);
    if (joined) {
        clone = LLVMBuildPtrToInt(b, joined, LLVMTypeOf(v), "");
        link[n] = v;
    }
    for (size_t i = n; i-- > 0;) {
        LLVMValueRef created = LLVMInstructionClone(link[i]);
        LLVMInsertIntoBuilder(b, created);
        if (clone)
            replace_operand(created, link[i + 1], clone);
        clone = created;
    }
    LLVMDisposeBuilder(b);
    replace_operand(a->user, a->wrong.value, clone);
    deviate(a->c, DEVIATION_CASTS_AGAIN);
    return 1;
}

/* Makes what the cast V led to again at each use that is after a safepoint, as long as that helps: a clone may use
 * another such value. An error that stays is left for the check after the rewrite. */
static sm_status repair_source(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    enum { TIMES = 1000 };
    for (int i = 0, again = 1; i < TIMES && again; i++) {
        struct aliases a = {.c = c, .function = f, .quiet = 1, .repair = make_again};
        aliases_follow(&a, v);
        again = a.status == SM_OK && a.user;
        aliases_free(&a);
    }
    return SM_OK;
}

/* If the module was sound before the optimiser, casts references again after safepoints where the optimiser merged
 * casts. Requires polls placed, before the rewrite; what stays wrong aliases_check finds. */
sm_status aliases_repair(struct compile *c) {
    assert(c->form == FORM_POLLED);
    return c->optimize.aliases_sound ? aliases_visit(c, repair_source) : SM_OK;
}
