/* scope_attach.c - after polls, before the rewrite: each safepoint inside of a scope gets the slot in its live list,
 * and the marks go. The slot of a value is listed only where the value is used again. */
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "reference_layout.h"
#include "scopes.h"

/* Adds SLOTS, which have regions, to CALL's "gc-live" list. */
static void list_slots(struct compile *c, LLVMValueRef call, const struct set *slots) {
    for (size_t i = 0; i < slots->count; i++)
        assert(region_find(c, slots->item[i]));
    call_extend(c, call, "gc-live", (LLVMValueRef *)slots->item, (unsigned)slots->count);
}

/* Safepoints, and for each the slots that are roots there. */
struct attachment {
    struct set calls;
    struct set *slots; /* owned: as many as calls */
};

/* Notes that SLOT is a root at the safepoint CALL. */
static void attach_slot(struct attachment *a, LLVMValueRef call, LLVMValueRef slot) {
    size_t number = set_number(&a->calls, call);
    if (number < a->calls.count)
        set_add(&a->slots[number], slot);
}

/* ---- Slots of values ----------------------------------------------------------------------------------------- */

/* 1 if the state of the safepoint I has what is in the slot. */
static int is_in_state_at(LLVMValueRef i, LLVMValueRef slot) {
    return is_call(i) && call_attribute(i, WORDS_ATTRIBUTE) && call_bundle_has(i, "deopt", slot);
}

/* 1 if, from number AT to the end of its block, the slot is read before it is stored to. *WRITTEN: it was stored to
 * first. (The slot of a value is read by loads and states, and written only where the value is defined.) */
static int read_first(const struct scope *s, size_t block, size_t at, int *written) {
    *written = 0;
    for (size_t k = s->used[block] ? scope_use_from(s, at) : s->uses;
         k < s->uses && s->use[k].at < s->body.first[block + 1]; k++) {
        LLVMValueRef i = s->use[k].instruction;
        if ((LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == s->slot) || is_in_state_at(i, s->slot))
            return 1;
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == s->slot) {
            *written = 1;
            return 0;
        }
    }
    return 0;
}

/* Marks in s->ahead the blocks at whose end the slot will be read before it is written. */
static void find_live(struct scope *s) {
    const struct graph *g = &s->body.graph;
    int written;
    memset(s->ahead, 0, g->blocks);
    for (size_t k = 0; k < s->uses; k++) {
        size_t n = s->use[k].block;
        if ((!k || s->use[k - 1].block != n) && read_first(s, n, s->body.first[n], &written))
            s->work[s->works++] = n;
    }
    while (s->works) {
        size_t n = s->work[--s->works];
        for (size_t k = g->first_before[n]; k < g->first_before[n + 1]; k++) {
            size_t before = g->before[k];
            if (s->ahead[before])
                continue;
            s->ahead[before] = 1;
            if (!read_first(s, before, s->body.first[before], &written) && !written)
                s->work[s->works++] = before;
        }
    }
}

/* 1 if the slot is a root at the safepoint I, number AT, in its scope: always, but for the slot of a value, which has to
 * be in its state, or to be read later. */
static int is_root_at(const struct scope *s, size_t block, size_t at, LLVMValueRef i) {
    int written;
    if (!s->is_value)
        return 1;
    if (!s->used[block])
        return s->ahead[block];
    if (is_in_state_at(i, s->slot))
        return 1;
    if (at + 1 == s->body.first[block + 1]) /* an invoke */
        return s->ahead[block];
    return read_first(s, block, at + 1, &written) || (!written && s->ahead[block]);
}

/* ---- One slot ------------------------------------------------------------------------------------------------ */

/* Gives the slot's region the fact that its reference is tagged, and the tag mask; a region of unknown layout becomes
 * one reference of 8 bytes. */
static void region_set_mask(struct compile *c, LLVMValueRef slot) {
    struct region *r = region_find(c, slot);
    if (r->bits & SM_FACT_UNKNOWN)
        layout_add(&r->layout, (sm_reference_run){.count = 1, .stride = 8, .space = 1, .width = 8});
    r->bits = (r->bits & ~(unsigned)SM_FACT_UNKNOWN) | SM_FACT_MASK;
    r->tag_mask = c->tag_mask;
}

/* Makes the slot's region: where references are in it, and the pin, tag and type that its declarations give. */
static sm_status note_slot(struct compile *c, LLVMValueRef f, LLVMValueRef slot) {
    sm_status s = region_note_layout(c, f, slot, 1);
    int pinned = scope_has_mark(slot, SCOPE_PIN), tagged = scope_has_mark(slot, SCOPE_TAG);
    region_find(c, slot)->is_scoped = 1;
    for (LLVMUseRef u = LLVMGetFirstUse(slot); s == SM_OK && u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!scope_begins(i))
            continue;
        if (pinned)
            region_find(c, slot)->bits |= SM_FACT_PINNED;
        if (tagged || call_attribute(i, TAGGED_ATTRIBUTE))
            region_set_mask(c, slot);
        s = region_set_type(c, f, slot, LLVMGetOperand(i, 1));
    }
    return s == SM_OK ? region_set_type(c, f, slot, type_in_metadata(c, slot)) : s;
}

/* Stores null into the slot before BEFORE, which has number AT in its block, if the slot's next scope can begin from
 * there and nothing reads the slot first, so that no old contents are reported then. Where it may be read it is kept, and
 * slot_regions.c reports it there. */
static void clear_slot(const struct scope *s, LLVMValueRef before, size_t block, size_t at) {
    int at_first = at == s->slot_at + 1, is_last = at + 1 == s->body.first[block + 1];
    unsigned ahead = scope_ahead(s, block, at_first || is_last ? at : at + 1);
    if (!(ahead & AHEAD_BEGINS) || (ahead & AHEAD_READS && !at_first))
        return;
    const struct region *r = region_find(s->c, s->slot);
    if (r->layout.runs)
        layout_clear(s->c, s->slot, &r->layout, before);
}

/* Which of the block's safepoints may have the slot as a root: of a value's, none before it is stored first, and none
 * after its last use if nothing reads it later. */
static void find_candidates(const struct scope *s, size_t block, size_t *first, size_t *end) {
    const struct body *b = &s->body;
    int written;
    *first = b->first_safepoint[block];
    *end = b->first_safepoint[block + 1];
    if (!s->is_value || !s->used[block])
        return;
    size_t use = scope_use_from(s, b->first[block]), after = scope_use_from(s, b->first[block + 1]);
    if (use < after && !read_first(s, block, b->first[block], &written) && written)
        *first = body_safepoint_from(b, *first, *end, s->use[use].at);
    if (use < after && !s->ahead[block])
        *end = body_safepoint_from(b, *first, *end, s->use[after - 1].at + 1);
}

/* Notes in A the safepoints of the block at which the slot is a root, and clears it at those outside of its scope. */
static void attach_block(struct scope *s, size_t block, struct attachment *a) {
    const struct body *b = &s->body;
    size_t first, end;
    int inside = s->is_value ? s->in[block] & SCOPE_INSIDE : s->in[block] == SCOPE_INSIDE;
    size_t use = s->used[block] ? scope_use_from(s, s->body.first[block]) : s->uses;
    find_candidates(s, block, &first, &end);
    for (size_t k = first; k < end; k++) {
        LLVMValueRef i = b->safepoint.item[k];
        /* without a use in the block, it does not matter where in it the safepoint stands */
        size_t at = s->used[block] ? body_number(&s->body, i) : s->body.first[block + 1] - 1;
        for (; use < s->uses && s->use[use].at < at; use++)
            if (scope_begins(s->use[use].instruction) || scope_ends(s->use[use].instruction))
                inside = scope_begins(s->use[use].instruction);
        if (inside && is_root_at(s, block, at, i))
            attach_slot(a, i, s->slot);
        else if (!s->is_value)
            clear_slot(s, i, block, at);
    }
}

/* Finds the safepoints at which SLOT is a root and notes them in A; makes its region, and clears it at safepoints
 * outside of its scope. */
static sm_status attach_scope(struct scope *s, LLVMValueRef slot, struct attachment *a) {
    sm_status status = note_slot(s->c, s->body.function, slot);
    if (status != SM_OK)
        return status;
    scope_of(s, slot);
    if (s->is_value)
        find_live(s);
    else
        scope_look_ahead(s);
    if (!s->is_value)
        clear_slot(s, LLVMGetNextInstruction(slot), graph_number(&s->body.graph, LLVMGetInstructionParent(slot)),
                   s->slot_at + 1);
    for (size_t k = 0; k < s->body.graph.blocks; k++)
        if (s->in[k] && (!s->is_value || s->used[k] || s->ahead[k])) /* else no value is needed there */
            attach_block(s, k, a);
    return SM_OK;
}

/* Erases the slot's marks. */
static void erase_marks(LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (scope_begins(user) || scope_ends(user))
            LLVMInstructionEraseFromParent(user);
    }
}

/* Adds to the "gc-live" list of each of F's safepoints the slots that are roots there, and removes the scope marks.
 * */
static sm_status attach_all(struct compile *c, LLVMValueRef f) {
    struct set slots = {0};
    struct attachment a = {0};
    struct scope scope;
    sm_status s = SM_OK;
    collect_marked(f, &slots);
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        set_add(&a.calls, call);
    a.slots = xcalloc(a.calls.count + 1, sizeof *a.slots);
    scope_make(&scope, c, f);
    if (c->options->scoped_roots == SM_SCOPED_STRICT)
        scopes_share_slots(&scope, &slots);
    for (size_t i = 0; s == SM_OK && i < slots.count; i++)
        s = attach_scope(&scope, slots.item[i], &a);
    scope_free(&scope);
    for (size_t i = 0; s == SM_OK && i < a.calls.count; i++)
        if (a.slots[i].count)
            list_slots(c, a.calls.item[i], &a.slots[i]);
    for (size_t i = 0; i < slots.count; i++)
        erase_marks(slots.item[i]);
    for (size_t i = 0; i < a.calls.count; i++)
        set_free(&a.slots[i]);
    free(a.slots);
    set_free(&a.calls);
    set_free(&slots);
    return s;
}

/* Adds the slots of all scopes to the live lists of their safepoints, and removes the marks. Requires polls placed.
 * */
sm_status scopes_attach(struct compile *c) {
    assert(c->form == FORM_POLLED);
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && values_are_late(f))
            s = values_to_slots(c, f);
        if (s == SM_OK && !LLVMIsDeclaration(f) && scopes_in(f))
            s = attach_all(c, f);
    }
    if (has_deviated(c, DEVIATION_SCOPES))
        functions_delete_unused(c->module, SCOPE "," LATE_VALUE);
    return s;
}
