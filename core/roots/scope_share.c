/* scope_share.c - roots whose lifetimes do not overlap have one slot; and the scopes of a function that is to be inlined
 * end where it is left. */
#include "ir.h"
#include "marks.h"
#include "reference_layout.h"
#include "scopes.h"
#include "set.h"
#include "state.h"

/* 1 if V, the slot or an address derived from it, is used only by loads, stores into it, scope marks and
 * getelementptr: its address has not escaped. */
static int is_used_plainly(LLVMValueRef v, LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        int plain = LLVMIsALoadInst(i) || (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == v) || scope_begins(i) ||
                    scope_ends(i) || (LLVMIsAGetElementPtrInst(i) && is_used_plainly(i, slot));
        if (!plain || LLVMIsAConstant(i))
            return 0;
    }
    return 1;
}

/* 1 if an operand of I is the slot or an address derived from it. */
static int uses_slot(LLVMValueRef i, LLVMValueRef slot) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        if (stepped_from(v, FLOW_STEP) == slot)
            return 1;
    }
    return 0;
}

/* The metadata of the slot's first begin mark; NULL if there is none. */
static LLVMValueRef first_metadata(LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (scope_begins(LLVMGetUser(u)))
            return LLVMGetOperand(LLVMGetUser(u), 1);
    return NULL;
}

/* 1 if the slot is declared, and holds a tagged reference. */
static int is_tagged(LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (scope_begins(LLVMGetUser(u)) && call_attribute(LLVMGetUser(u), TAGGED_ATTRIBUTE))
            return 1;
    return 0;
}

/* 1 if nowhere in the function are both scopes open, and neither slot is used outside of its scope. */
static int are_apart_shared(const struct scope *a, const struct scope *b) {
    for (size_t k = 0; k < a->graph.blocks; k++) {
        int in_a = a->in[k] & SCOPE_INSIDE, in_b = b->in[k] & SCOPE_INSIDE;
        for (LLVMValueRef i = LLVMGetFirstInstruction(a->graph.block[k]); i; i = LLVMGetNextInstruction(i)) {
            int marks = scope_begins(i) || scope_ends(i);
            if (marks && LLVMGetOperand(i, 0) == a->slot)
                in_a = scope_begins(i);
            else if (marks && LLVMGetOperand(i, 0) == b->slot)
                in_b = scope_begins(i);
            else if (!LLVMIsAGetElementPtrInst(i) &&
                     ((!in_a && uses_slot(i, a->slot)) || (!in_b && uses_slot(i, b->slot))))
                return 0;
            if (in_a && in_b)
                return 0;
        }
    }
    return 1;
}

/* 1 if slots A and B can become one: same type, size and metadata, no escaped address, and scopes that do not
 * overlap. */
static int may_share(struct compile *c, LLVMValueRef f, LLVMValueRef a, LLVMValueRef b) {
    struct scope x, y;
    if (is_value_slot(a) || is_value_slot(b) || is_tagged(a) != is_tagged(b) ||
        LLVMGetAllocatedType(a) != LLVMGetAllocatedType(b) || LLVMGetOperand(a, 0) != LLVMGetOperand(b, 0) ||
        first_metadata(a) != first_metadata(b) || type_in_metadata(c, a) || type_in_metadata(c, b) ||
        !is_used_plainly(a, a) || !is_used_plainly(b, b))
        return 0;
    scope_make(&x, c, f, a);
    scope_make(&y, c, f, b);
    scope_follow(&x);
    scope_follow(&y);
    int apart = are_apart_shared(&x, &y);
    scope_free(&x);
    scope_free(&y);
    return apart;
}

/* Makes one slot of those whose scopes do not overlap; SLOTS loses the others. */
void scopes_share_slots(struct compile *c, LLVMValueRef f, struct set *slots) {
    for (size_t i = 0; i < slots->count; i++)
        for (size_t k = i + 1; k < slots->count;) {
            LLVMValueRef kept = slots->item[i], gone = slots->item[k];
            if (!may_share(c, f, kept, gone)) {
                k++;
                continue;
            }
            if (LLVMGetAlignment(gone) > LLVMGetAlignment(kept))
                LLVMSetAlignment(kept, LLVMGetAlignment(gone));
            LLVMReplaceAllUsesWith(gone, kept);
            LLVMInstructionEraseFromParent(gone);
            set_remove(slots, k);
        }
}

/* ---- Where a function is left -------------------------------------------------------------------------------- */

/* What the function is left with at the end of B: a return, the musttail call that it returns, or an exception. NULL if
 * the function goes on. */
static LLVMValueRef leaving(LLVMBasicBlockRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    LLVMValueRef before = end && LLVMIsAReturnInst(end) ? LLVMGetPreviousInstruction(end) : NULL;
    if (!end || !leaves_function(end))
        return NULL;
    return before && is_musttail(before) ? before : end;
}

/* Ends the scope of SLOT where F is left within it. */
static void close_scope(struct compile *c, LLVMValueRef f, LLVMValueRef slot) {
    struct scope s;
    struct set open = {0};
    scope_make(&s, c, f, slot);
    scope_follow(&s);
    for (size_t i = 0; i < s.graph.blocks; i++) {
        LLVMValueRef end = leaving(s.graph.block[i]);
        if (end && !s.is_value && scope_state_at(&s, i, end) & SCOPE_INSIDE)
            set_add(&open, end);
    }
    for (size_t i = 0; i < open.count; i++)
        scope_mark(c, open.item[i], SCOPE_END, slot, LLVMConstNull(LLVMTypeOf(slot)));
    set_free(&open);
    scope_free(&s);
}

void scopes_close(struct compile *c, LLVMValueRef f) {
    struct set slots = {0};
    visit_calls(f, collect_marked, &slots);
    for (size_t i = 0; i < slots.count; i++)
        close_scope(c, f, slots.item[i]);
    set_free(&slots);
}
