/* scope_attach.c - after polls, before the rewrite: each safepoint inside of a scope gets the slot in its live list,
 * and the marks go. The slot of a value is listed only where the value is used again. */
#include "base.h"
#include "cfg.h"
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "memory.h"
#include "reference_layout.h"
#include "scopes.h"
#include "set.h"
#include "state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
    for (size_t i = 0; i < a->calls.count; i++)
        if (a->calls.item[i] == call)
            set_add(&a->slots[i], slot);
}

/* 1 if the state of the safepoint I has what is in the slot. */
static int is_in_state_at(LLVMValueRef i, LLVMValueRef slot) {
    return is_call(i) && call_attribute(i, WORDS_ATTRIBUTE) && call_bundle_has(i, "deopt", slot);
}

/* 1 if, from instruction I to the end of its block, the slot is read before it is stored to. *WRITTEN: it was stored
 * to first. (The slot of a value is read by loads and states, and written only where the value is defined.). */
static int read_first(LLVMValueRef i, LLVMValueRef slot, int *written) {
    *written = 0;
    for (; i; i = LLVMGetNextInstruction(i)) {
        if ((LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == slot) || is_in_state_at(i, slot))
            return 1;
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == slot) {
            *written = 1;
            return 0;
        }
    }
    return 0;
}

/* Marks in LIVE, one byte for each block, the blocks at whose end the slot will be read before it is written. */
static void find_live(struct scope *s, unsigned char *live) {
    const struct graph *g = &s->graph;
    s->works = 0;
    for (size_t i = 0; i < g->blocks; i++) {
        int written;
        if (read_first(LLVMGetFirstInstruction(g->block[i]), s->slot, &written))
            s->work[s->works++] = i;
    }
    while (s->works) {
        size_t block = s->work[--s->works];
        for (size_t k = g->first_before[block]; k < g->first_before[block + 1]; k++) {
            size_t before = g->before[k];
            int written;
            if (live[before])
                continue;
            live[before] = 1;
            if (!read_first(LLVMGetFirstInstruction(g->block[before]), s->slot, &written) && !written)
                s->work[s->works++] = before;
        }
    }
}

/* 1 if the slot is a root at the safepoint I, which is in its scope: always, but for the slot of a value, which has
 * to be in its state, or to be read later. LIVE is from find_live. */
static int is_root_at(struct scope *s, const unsigned char *live, size_t block, LLVMValueRef i) {
    int written;
    if (!s->is_value || is_in_state_at(i, s->slot))
        return 1;
    if (LLVMIsATerminatorInst(i))
        return live[block];
    return read_first(LLVMGetNextInstruction(i), s->slot, &written) || (!written && live[block]);
}

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
    for (LLVMUseRef u = LLVMGetFirstUse(slot); s == SM_OK && u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!scope_begins(i))
            continue;
        if (scope_has_mark(slot, SCOPE_PIN))
            region_find(c, slot)->bits |= SM_FACT_PINNED;
        if (scope_has_mark(slot, SCOPE_TAG) || call_attribute(i, TAGGED_ATTRIBUTE))
            region_set_mask(c, slot);
        s = region_set_type(c, f, slot, LLVMGetOperand(i, 1));
    }
    return s == SM_OK ? region_set_type(c, f, slot, type_in_metadata(c, slot)) : s;
}

/* Stores null into the slot before BEFORE if its next scope can begin from there and nothing reads the slot first, so
 * that no old contents are reported then. Where it may be read it is kept, and slot_regions.c reports it there. */
static void clear_slot(const struct scope *s, LLVMValueRef before) {
    struct ahead ahead;
    int at_first = LLVMGetPreviousInstruction(before) == s->slot;
    if (s->is_value)
        return;
    scan_ahead(&s->graph,
               at_first                         ? before
               : LLVMGetNextInstruction(before) ? LLVMGetNextInstruction(before)
                                                : before,
               s->slot, &ahead);
    const struct region *r = region_find(s->c, s->slot);
    if (ahead.begins && (at_first || !ahead.reads) && r->layout.runs)
        layout_clear(s->c, s->slot, &r->layout, before);
}

/* Finds the safepoints in F at which SLOT is a root and notes them in A; makes its region, and clears it at
 * safepoints outside of its scope. */
static sm_status attach_scope(struct compile *c, LLVMValueRef f, LLVMValueRef slot, struct attachment *a) {
    struct scope s;
    sm_status status = note_slot(c, f, slot);
    if (status != SM_OK)
        return status;
    scope_make(&s, c, f, slot);
    unsigned char *live = xcalloc(s.graph.blocks + 1, 1);
    scope_follow(&s);
    if (s.is_value)
        find_live(&s, live);
    clear_slot(&s, LLVMGetNextInstruction(slot));
    for (size_t k = 0; k < s.graph.blocks; k++) {
        int inside = s.is_value ? s.in[k] & SCOPE_INSIDE : s.in[k] == SCOPE_INSIDE;
        for (LLVMValueRef i = s.in[k] ? LLVMGetFirstInstruction(s.graph.block[k]) : NULL; i;
             i = LLVMGetNextInstruction(i)) {
            if ((scope_begins(i) || scope_ends(i)) && LLVMGetOperand(i, 0) == slot)
                inside = scope_begins(i);
            else if (inside && is_safepoint(c, i) && is_root_at(&s, live, k, i))
                attach_slot(a, i, slot);
            else if (is_safepoint(c, i) && !s.is_value)
                clear_slot(&s, i);
        }
    }
    free(live);
    scope_free(&s);
    return SM_OK;
}

/* Visitor of calls: adds CALL to the attachment at ARG. */
static void collect_safepoint(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct attachment *a = arg;
    (void)f;
    set_add(&a->calls, call);
}

/* Adds to the "gc-live" list of each of F's safepoints the slots that are roots there, and removes the scope marks.
 * */
static sm_status attach_all(struct compile *c, LLVMValueRef f) {
    struct set slots = {0};
    struct attachment a = {0};
    sm_status s = SM_OK;
    visit_calls(f, collect_marked, &slots);
    visit_calls(f, collect_safepoint, &a);
    a.slots = xcalloc(a.calls.count + 1, sizeof *a.slots);
    if (c->options->scoped_roots == SM_SCOPED_STRICT)
        scopes_share_slots(c, f, &slots);
    for (size_t i = 0; s == SM_OK && i < slots.count; i++)
        s = attach_scope(c, f, slots.item[i], &a);
    for (size_t i = 0; s == SM_OK && i < a.calls.count; i++)
        if (a.slots[i].count)
            list_slots(c, a.calls.item[i], &a.slots[i]);
    for (size_t i = 0; i < slots.count; i++)
        scope_take_marks(f, slots.item[i], NULL, c);
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
        scopes_remove_declarations(c->module, SCOPE);
    if (has_deviated(c, DEVIATION_SCOPES))
        scopes_remove_declarations(c->module, LATE_VALUE);
    return s;
}
