/* promote.c - references in stack slots, which no map lists.
 *
 * References that are values are reported to the collector. One that was stored into an alloca and is read back after a
 * safepoint is the old one. So slots are promoted to values (LLVM's sroa) before the rewrite, at every level, where
 * there are such slots; and after the rewrite, what still holds a reference from before a safepoint until it is read
 * is refused by name. A slot that the safepoint lists in its "gc-live" bundle is reported to the collector, and fine.
 * A byval, inalloca or preallocated parameter is such a slot too, filled by the caller.
 */
#include "base.h"
#include "body.h"
#include "ir.h"
#include "memory.h"
#include "optimize.h"
#include "slots.h"
#include "state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What is true of a slot at a place. */
enum { WRITTEN = 1, CROSSED = 2, ESCAPED = 4 };

struct state {
    unsigned is;            /* WRITTEN, CROSSED, ESCAPED */
    LLVMValueRef safepoint; /* that was crossed */
};

struct flow {
    const struct compile *c;
    struct slot *slot;
    const struct body *body;
    struct state *in;             /* owned: what is true at each block's begin */
    unsigned char *used;          /* owned: the block has an instruction that uses the slot */
    unsigned char *changed;       /* owned: what is true at the block's begin is not passed on yet */
    LLVMValueRef safepoint, read; /* the first finding; equal if the address has escaped at the safepoint */
};

/* Notes the first finding: READ uses what became old at SAFEPOINT. */
static void note_finding(struct flow *w, LLVMValueRef safepoint, LLVMValueRef read) {
    if (w->read)
        return;
    w->read = read;
    w->safepoint = safepoint;
}

/* Changes the state S at a safepoint that does not list the slot: what was written is old from here on. A finding if
 * the address has escaped. */
static void cross(struct flow *w, LLVMValueRef call, struct state *s) {
    if (s->is & ESCAPED)
        note_finding(w, call, call);
    if (s->is & WRITTEN)
        *s = (struct state){s->is | CROSSED, call};
}

/* Changes the state S by what instruction I does to the slot; a finding if I reads what became old at a safepoint. */
static void step(struct flow *w, LLVMValueRef i, struct state *s) {
    int effects = slot_effects(w->c, w->slot, i), is_call = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i), listed = 0;
    if (is_call)
        effects |= slot_bundle_effects(w->slot, i, &listed);
    if (effects & SLOT_READS && s->is & CROSSED && !listed)
        note_finding(w, s->safepoint, i);
    if (effects & SLOT_FILLS)
        s->is &= ~(unsigned)(CROSSED | WRITTEN);
    if (effects & SLOT_DIES)
        s->is = 0;
    s->is |= effects & SLOT_WRITES ? WRITTEN : 0;
    s->is |= effects & SLOT_ESCAPES ? ESCAPED | WRITTEN : 0;
    if (is_call && !listed && is_safepoint(w->c, i))
        cross(w, i, s);
}

/* Joins S into the state at the begin of block number TO. */
static void flow_into(struct flow *w, size_t to, struct state s) {
    struct state *in = &w->in[to];
    unsigned before = in->is;
    if (!(in->is & CROSSED))
        in->safepoint = s.safepoint;
    in->is |= s.is;
    w->changed[to] |= in->is != before;
}

/* Runs block N from its state at its begin and joins the result into its successors. */
static void flow_block(struct flow *w, size_t n) {
    const struct body *body = w->body;
    struct state s = w->in[n];
    w->changed[n] = 0;
    if (w->used[n])
        for (LLVMValueRef i = LLVMGetFirstInstruction(body->graph.block[n]); i; i = LLVMGetNextInstruction(i))
            step(w, i, &s);
    else
        for (size_t k = body->first_safepoint[n]; k < body->first_safepoint[n + 1]; k++)
            cross(w, body->safepoint.item[k], &s);
    for (size_t k = body->graph.first_after[n]; k < body->graph.first_after[n + 1]; k++)
        flow_into(w, body->graph.after[k], s);
}

/* Follows the slot through F to a fixed point, or up to the first finding, which is in w->read and w->safepoint. */
static void flow_run(struct compile *c, struct flow *w, struct body *body, LLVMValueRef f) {
    body_of(body, c, f);
    size_t blocks = body->graph.blocks, again = 1;
    w->c = c;
    w->body = body;
    slot_find_users(w->slot);
    w->in = xcalloc(blocks + 1, sizeof *w->in);
    w->used = xcalloc(blocks + 1, 1);
    w->changed = xcalloc(blocks + 1, 1);
    memset(w->changed, 1, blocks);
    slot_note_blocks(w->slot, &body->graph, w->used);
    if (LLVMIsAArgument(w->slot->origin))
        flow_into(w, body->graph.entry, (struct state){WRITTEN, NULL});
    while (again && !w->read) {
        again = 0;
        for (size_t n = 0; n < blocks && !w->read; n++)
            if (w->changed[n]) {
                flow_block(w, n);
                again = 1;
            }
    }
}

static void flow_free(struct flow *w) {
    free(w->in);
    free(w->used);
    free(w->changed);
}

/* ---- What is done with it ----------------------------------------------------------------------------------- */

/* Fails the compile with the slot's finding: it holds a reference over a safepoint that does not report it. */
static sm_status refuse_promoted(struct compile *c, LLVMValueRef f, const struct flow *w) {
    char *slot = LLVMPrintValueToString(w->slot->origin), *read = LLVMPrintValueToString(w->read);
    const char *shown = slot + strspn(slot, " ");
    sm_status s;
    if (w->read == w->safepoint)
        s = fail(
            c, SM_CANNOT_REWRITE, f,
            "The stack slot '%.200s' holds references, and its address is known to others at the call of %.200s, "
            "where the collector does not find it: keep references in values, or list the slot in the call's "
            "\"gc-live\" bundle",
            shown, safepoint_name(w->safepoint));
    else
        s = fail(c, SM_CANNOT_REWRITE, f,
                 "The stack slot '%.200s' holds a reference across the call of %.200s, where the collector does not "
                 "find it, and is then read by '%.200s': the slot cannot be promoted to a value; keep references in "
                 "values, or list the slot in the call's \"gc-live\" bundle",
                 shown, safepoint_name(w->safepoint), read + strspn(read, " "));
    LLVMDisposeMessage(slot);
    LLVMDisposeMessage(read);
    return s;
}

/* 1 if each safepoint that the slot holds references across lists it. */
int slot_is_reported(struct compile *c, LLVMValueRef f, struct body *body, struct slot *slot) {
    struct flow w = {.slot = slot};
    flow_run(c, &w, body, f);
    flow_free(&w);
    return !w.read;
}

/* Refuses V if it is a slot that holds references across a safepoint without being reported. BLIND: only slots whose
 * contents are no references by type, and are copied both from and to the heap. */
static sm_status check_slot_promoted(struct compile *c, struct body *body, LLVMValueRef f, LLVMValueRef v,
                                     int blind) {
    struct slot slot;
    if (!slot_of(&slot, f, v))
        return SM_OK;
    struct flow w = {.slot = &slot};
    sm_status s = SM_OK;
    if (slot_holds_references(&slot) &&
        (!blind || (slot.copied_in && slot.copied_out && !holds_root(slot.data, slot.type))))
        flow_run(c, &w, body, f);
    if (w.read)
        s = refuse_promoted(c, f, &w);
    flow_free(&w);
    slot_free(&slot);
    return s;
}

/* Checks the slots of F. */
static sm_status check_slots_of(struct compile *c, LLVMValueRef f, int blind) {
    struct body body = {0};
    sm_status s = SM_OK;
    for (unsigned i = 0; s == SM_OK && i < LLVMCountParams(f); i++)
        s = check_slot_promoted(c, &body, f, LLVMGetParam(f, i), blind);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); s == SM_OK && b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); s == SM_OK && i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i))
                s = check_slot_promoted(c, &body, f, i, blind);
    body_free(&body);
    return s;
}

static sm_status check_all_slots(struct compile *c, int blind) {
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f)))
            s = check_slots_of(c, f, blind);
    return s;
}

/* Refuses slots that hold references across safepoints without being reported. */
sm_status slots_check(struct compile *c) {
    return check_all_slots(c, 0);
}

/* Refuses slots through which bytes of the heap are copied across a safepoint: promoted, they may become one integer,
 * which hides the reference. */
sm_status slots_check_copies(struct compile *c) {
    return check_all_slots(c, 1);
}

/* A value_check used as a search: SM_CANNOT_REWRITE if V is an alloca that holds references, or a cast of a reference
 * to what is none, which a slot may hold; SM_OK otherwise. */
static sm_status is_promoted_slot(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    struct slot slot;
    if (is_alias_source(c, v))
        return SM_CANNOT_REWRITE;
    if (!LLVMIsAAllocaInst(v) || !slot_of(&slot, f, v))
        return SM_OK;
    int result = slot_holds_references(&slot);
    slot_free(&slot);
    return result ? SM_CANNOT_REWRITE : SM_OK;
}

/* Promotes stack slots to values with sroa if any slot holds references, or may hold tagged ones, which are integers.
 * Requires the optimised module; leaves references in slots only where that cannot be avoided. */
sm_status stage_promote(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    if (!tags_are_used(c) && aliases_visit(c, is_promoted_slot) == SM_OK)
        return SM_OK;
    optnone_hide(c);
    note_passes(c, "function(sroa)");
    sm_status s = run_folding_passes(c, "function(sroa)");
    optnone_show(c);
    return s;
}
