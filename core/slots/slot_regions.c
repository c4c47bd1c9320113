/* slot_regions.c - stack slots that hold references across safepoints become regions of these.
 *
 * A slot that could not become a value (its address has escaped, it is indexed by a variable, it is volatile) is read
 * after a safepoint, where what was in it before is old. So it is put into the lists of the safepoints that it is
 * alive at, and the collector moves what is in it: from where it is written until it is read for the last time, or,
 * once others know it, until it dies, and on the ways that lead to a safepoint where they do.
 *
 * It is null before it is first reported: where it is alive at its alloca, and where it begins to live again
 * (llvm.lifetime.start; those marks are taken away in the end, as a region must share its place with nothing).
 * Outside of its life what is in it becomes old, and no path leads from there to a safepoint that reports it without
 * one of these.
 *
 * What is in it is checked (slot_layout.c). A byval parameter is copied into a slot of the function's own. An alloca
 * that stands in another block is moved into the first one where it is reached once at most.
 *
 * Requires polls placed and scopes attached; before the rewrite, which keeps lists (gc_live_bundles.c).
 */
#include "body.h"
#include "cfg.h"
#include "deviations.h"
#include "ir.h"
#include "reference_layout.h"
#include "slot_address.h"
#include "slot_layout.h"
#include "slot_life.h"
#include "slots.h"

#include <llvm-c/Target.h>

/* Fails the compile: the slot holds references across safepoints, and WHAT (a clause). */
static sm_status refuse_slot(struct compile *c, LLVMValueRef f, LLVMValueRef slot, const char *what) {
    return fail(c, SM_CANNOT_REWRITE, f, "The stack slot '%.200s' holds references across safepoints, and %s",
                value_text(slot), what);
}

/* ---- A slot of the function's own ---------------------------------------------------------------------------- */

/* Builds an alloca with a copy of the byval parameter S, and lets all uses use that. Gives the alloca. */
static LLVMValueRef copy_parameter(struct compile *c, LLVMValueRef f, const struct slot *s) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    LLVMBuilderRef b = builder_at(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMValueRef copy = LLVMBuildAlloca(b, s->type, "smd.byval");
    LLVMReplaceAllUsesWith(s->origin, copy);
    LLVMPositionBuilderBefore(b, past_allocas(f));
    LLVMBuildStore(b, LLVMBuildLoad2(b, s->type, s->origin, ""), copy);
    LLVMDisposeBuilder(b);
    LLVMSetAlignment(copy, LLVMABIAlignmentOfType(data, s->type) > 8 ? LLVMABIAlignmentOfType(data, s->type) : 8);
    return copy;
}

/* 1 if BLOCK can be reached from itself. */
static int is_region_in_loop(const struct graph *g, LLVMBasicBlockRef block) {
    unsigned char *seen = xcalloc(g->blocks + 1, 1);
    size_t *work = xcalloc(g->blocks + 1, sizeof *work), start = graph_number(g, block);
    graph_follow(g, start, seen, work);
    int looped = seen[start];
    free(seen);
    free(work);
    return looped;
}

/* Refuses a slot of variable size or in a loop; moves one of another block into the function's first block. */
static sm_status check_place(struct compile *c, struct body *body, LLVMValueRef f, LLVMValueRef slot) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f), block = LLVMGetInstructionParent(slot);
    if (!LLVMIsAConstantInt(LLVMGetOperand(slot, 0)))
        return refuse_slot(c, f, slot, "has no fixed size: keep them in an object");
    if (block == entry)
        return SM_OK;
    body_of(body, c, f);
    if (is_region_in_loop(&body->graph, block))
        return refuse_slot(c, f, slot,
                           "stands in a loop, where each round makes another one: move the alloca into the "
                           "function's first block");
    LLVMValueRef before = LLVMGetFirstInstruction(entry);
    LLVMBuilderRef b = builder_at(before);
    move_instruction(b, slot);
    LLVMDisposeBuilder(b);
    return SM_OK;
}

/* ---- What safepoints list ------------------------------------------------------------------------------------ */

/* Safepoints of a function, and the slots that each of them is to list. They are listed once, when all slots are
 * known, since a call with another list is another call. */
struct listing {
    struct set calls;
    struct set *slots; /* owned: of each call */
    size_t room;
};

/* Notes that CALL is to list SLOT. */
static void list_slot(struct listing *l, LLVMValueRef call, LLVMValueRef slot) {
    size_t n = set_number(&l->calls, call);
    if (n == l->calls.count) {
        l->slots = xgrow(l->slots, n, &l->room, sizeof *l->slots);
        l->slots[n] = (struct set){0};
        set_add(&l->calls, call);
    }
    set_add(&l->slots[n], slot);
}

/* Adds to each safepoint's live list what it is to list. */
static void extend_calls(struct compile *c, struct listing *l) {
    for (size_t i = 0; i < l->calls.count; i++)
        call_extend(c, l->calls.item[i], "gc-live", (LLVMValueRef *)l->slots[i].item, (unsigned)l->slots[i].count);
}

static void listing_free(struct listing *l) {
    for (size_t i = 0; i < l->calls.count; i++)
        set_free(&l->slots[i]);
    free(l->slots);
    set_free(&l->calls);
}

/* ---- What is done -------------------------------------------------------------------------------------------- */

/* Adds to CALLS those whose "gc-live" lists have an address of the slot already. */
static void find_listing(const struct slot *slot, struct body *body, struct set *calls) {
    for (size_t i = 0; i < slot->address.count; i++)
        for (LLVMUseRef u = LLVMGetFirstUse(slot->address.item[i]); u; u = LLVMGetNextUse(u))
            if (body_lists(body, u))
                set_add(calls, LLVMGetUser(u));
}

/* Finds where the slot is alive. It is cleared where it has to be null, and with LISTING it is reported to the
 * collector at the safepoints there. */
static void report_region(struct compile *c, struct body *body, struct slot *slot, const struct layout *layout,
                          struct listing *listing) {
    struct slot_life life = {0};
    struct set listed = {0};
    find_listing(slot, body, &listed);
    slot_find_life(c, body, slot, &life);
    for (size_t i = 0; i < life.begins.count; i++)
        layout_clear(c, slot->origin, layout, LLVMGetNextInstruction(life.begins.item[i]));
    for (size_t i = 0; listing && i < life.safepoints.count; i++)
        if (!set_has(&listed, life.safepoints.item[i]))
            list_slot(listing, life.safepoints.item[i], slot->origin);
    set_free(&listed);
    set_free(&life.safepoints);
    set_free(&life.begins);
}

/* Makes of number I of SLOTS, an alloca or byval parameter that holds references, an alloca in the function's first
 * block. Says in *CHANGED if it was none. */
static sm_status settle_slot(struct compile *c, struct body *body, struct set *slots, size_t i, int *changed) {
    LLVMValueRef f = body->function, v = slots->item[i];
    struct slot slot = {0};
    if (slot_mover(f))
        return refuse_slot(c, f, v,
                           "the function's attributes have slots moved elsewhere: leave safestack and "
                           "sanitize_memtag out");
    if (LLVMIsAArgument(v)) {
        if (!is_parameter_with(f, v, "byval"))
            return refuse_slot(c, f, v, "is no copy of the caller's: pass it byval");
        if (slot_of(&slot, f, v))
            set_replace(slots, i, copy_parameter(c, f, &slot));
        slot_free(&slot);
        *changed = 1;
        return SM_OK;
    }
    *changed |= LLVMGetInstructionParent(v) != LLVMGetEntryBasicBlock(f);
    return check_place(c, body, f, v);
}

/* Makes V, an alloca that holds references and is reported nowhere yet, a region, and reports it. */
static sm_status make_region(struct compile *c, struct body *body, struct copies *known, LLVMValueRef v,
                             struct listing *listing) {
    LLVMValueRef f = body->function;
    struct slot slot = {0};
    struct layout layout = {0};
    sm_status s = SM_OK;
    if (!slot_of(&slot, f, v))
        return SM_OK;
    slot_holds_references(&slot, known);
    struct region *r = region_find(c, v);       /* a scoped root's, which is reported elsewhere as well */
    int is_pin = r && r->bits & SM_FACT_PINNED; /* smd made it, and reads the reference as a plain pointer */
    if (!is_pin && (s = contents_check(c, f, &slot, &layout)) != SM_OK)
        goto out;
    if (!r) {
        r = region_note(c, v);
        r->layout = layout;
        layout = (struct layout){0};
    }
    report_region(c, body, &slot, &r->layout, listing);
out:
    layout_free(&layout);
    slot_free(&slot);
    return s;
}

/* Clears the slot V, which no safepoint reports, where it may be read before it is written: what is read is a
 * reference, and may become a root. A slot that the module lists itself is left as it is. */
static sm_status clear_unwritten(struct compile *c, struct body *body, LLVMValueRef v) {
    struct slot slot = {0};
    struct layout layout = {0};
    struct set listed = {0};
    sm_status s = SM_OK;
    if (!slot_of(&slot, body->function, v))
        return SM_OK;
    layout_add_type(c, &layout, LLVMArrayType2(slot.type, alloca_count(v)), 0);
    find_listing(&slot, body, &listed);
    if (!listed.count) {
        if (layout.too_complex)
            s = refuse_slot(c, body->function, v, "has them in too much disorder: keep them in an object");
        else
            report_region(c, body, &slot, &layout, NULL);
    }
    set_free(&listed);
    layout_free(&layout);
    slot_free(&slot);
    return s;
}

/* ---- Which ---------------------------------------------------------------------------------------------------- */

struct result {
    struct compile *c;
    struct body body;         /* owned */
    struct copies copies;     /* owned */
    struct set slots, others; /* OTHERS: typed ones that hold no reference across a safepoint */
};

/* Adds V to RESULT if it is a slot that holds references: across a safepoint which does not report it, or not. */
static void visit_place_region(struct result *result, LLVMValueRef f, LLVMValueRef v) {
    struct slot slot;
    if ((!LLVMIsAAllocaInst(v) && !LLVMIsAArgument(v)) || !slot_of(&slot, f, v))
        return;
    if (slot_holds_references(&slot, &result->copies) && slot_follow(result->c, f, &result->body, &slot).read)
        set_add(&result->slots, v);
    else if (LLVMIsAAllocaInst(v) && alloca_count(v) && holds_root(slot.data, slot.type))
        set_add(&result->others, v);
    slot_free(&slot);
}

/* Makes regions of all of F's slots that hold unreported references across safepoints. */
static sm_status report_all(struct compile *c, LLVMValueRef f) {
    struct result result = {.c = c};
    struct listing listing = {0};
    sm_status s = SM_OK;
    int changed = 0;
    for (LLVMValueRef v = first_value(f); v; v = next_value(v))
        visit_place_region(&result, f, v);
    if (!(result.slots.count + result.others.count))
        goto out;
    body_of(&result.body, c, f);
    for (size_t i = 0; s == SM_OK && i < result.others.count; i++)
        s = clear_unwritten(c, &result.body, result.others.item[i]);
    for (size_t i = 0; s == SM_OK && i < result.slots.count; i++)
        s = settle_slot(c, &result.body, &result.slots, i, &changed);
    if (changed)
        body_free(&result.body);
    body_of(&result.body, c, f);
    copies_free(&result.copies);
    result.copies = (struct copies){0};
    for (size_t i = 0; s == SM_OK && i < result.slots.count; i++) {
        s = make_region(c, &result.body, &result.copies, result.slots.item[i], &listing);
        deviate(c, DEVIATION_STACK_ROOTS);
    }
    if (s == SM_OK)
        extend_calls(c, &listing);
out:
    listing_free(&listing);
    copies_free(&result.copies);
    set_free(&result.slots);
    set_free(&result.others);
    body_free(&result.body);
    return s;
}

/* The data layout of I's module. */
static LLVMTargetDataRef layout_of(LLVMValueRef i) {
    return LLVMGetModuleDataLayout(LLVMGetGlobalParent(function_of(i)));
}

/* 1 if V is an alloca of references that is not just one pointer of address space 1: a record's entry of a slot alone
 * stands for one such reference at its begin. */
static int is_more_than_one(LLVMValueRef v) {
    if (!LLVMIsAAllocaInst(v) || !holds_root(layout_of(v), LLVMGetAllocatedType(v)))
        return 0;
    return !holds_reference(LLVMGetAllocatedType(v)) ||
           LLVMGetTypeKind(LLVMGetAllocatedType(v)) != LLVMPointerTypeKind || alloca_count(v) != 1;
}

/* 1 if slots in CALL's "gc-live" list are in its record. */
static int lists_slots_of(const struct compile *c, LLVMValueRef call) {
    return is_statepoint_gc(LLVMGetGC(function_of(call))) && is_safepoint(c, call);
}

/* Makes the slots in CALL's own "gc-live" list regions by their types, if one has more than one reference. */
static void note_listed(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    struct operands list = call_operands(call, "gc-live");
    int wide = 0;
    for (unsigned i = list.first; i < list.end; i++)
        wide |= is_more_than_one(LLVMGetOperand(call, i));
    for (unsigned i = list.first; wide && i < list.end; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        if (LLVMIsAAllocaInst(v) && holds_root(layout_of(v), LLVMGetAllocatedType(v)))
            region_note_layout(c, f, v, 0);
    }
}

/* Moves the slots that CALL lists into the first block, or refuses them. Of a slot of another block
 * code generation keeps the address in a register, and the record has no place. A poll or a barrier that was inlined
 * in the first block leaves what stands behind it in another one. */
static void place_listed(struct compile *c, struct body *body, LLVMValueRef f, LLVMValueRef call) {
    struct operands list = call_operands(call, "gc-live");
    for (unsigned i = list.first; i < list.end; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        if (!LLVMIsAAllocaInst(v))
            continue;
        if (LLVMGetInstructionParent(v) != LLVMGetEntryBasicBlock(f))
            deviate(c, DEVIATION_STACK_ROOTS);
        if (!c->errors)
            check_place(c, body, f, v);
    }
}

/* Makes regions of all slots that hold unreported references across safepoints. */
sm_status stacks_report(struct compile *c) {
    assert(c->form == FORM_POLLED);
    struct body body = {0};
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (lists_slots_of(c, call))
            place_listed(c, &body, function_of(call), call);
    body_free(&body);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (lists_slots_of(c, call))
            note_listed(c, function_of(call), call);
    sm_status s = c->errors ? SM_CANNOT_REWRITE : SM_OK;
    for (LLVMValueRef f = first_with_statepoints(c->module); s == SM_OK && f; f = next_with_statepoints(f))
        s = report_all(c, f);
    return s;
}

/* ---- Behind the rewrite -------------------------------------------------------------------------------------- */

/* Erases the lifetime marks of all regions, so that no other slot shares their place. Requires the rewritten module.
 * */
sm_status stacks_unmark(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    struct set marks = {0};
    for (size_t n = 0; n < c->slots.regions; n++)
        add_users(c->slots.region[n].slot, is_lifetime_mark, &marks);
    for (size_t n = 0; n < marks.count; n++)
        LLVMInstructionEraseFromParent(marks.item[n]);
    set_free(&marks);
    return SM_OK;
}
