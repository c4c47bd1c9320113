/* slot_life.c - where a stack slot is alive: from where it is written until it is read for the last time, or, once others
 * know its address, until it dies, and on the ways that lead to a safepoint where they do.
 *
 * Two flows over the function's blocks, each a bit that only goes from 0 to 1: forwards whether the address has escaped,
 * backwards whether the slot is alive. A block without a use of the slot passes them on; only others are walked through.
 */
#include "slot_life.h"
#include "base.h"
#include "ir.h"
#include "memory.h"
#include "slot_address.h"

#include <stdlib.h>

struct life {
    const struct compile *c;
    const struct body *body;
    struct slot *slot;
    unsigned char *used;    /* owned: the block has an instruction that uses the slot */
    unsigned char *escaped; /* owned: at the block's begin, the slot's address has escaped */
    unsigned char *alive;   /* owned: at the block's end, the slot will be read or reported */
    unsigned char *entered; /* owned: at the block's begin, likewise */
    size_t *work, works;    /* owned: blocks whose neighbours are still to be updated */
    struct slot_life *result;
};

/* The effects of I on the slot (SLOT_*), those of its operand bundles included. */
static int effects_of(const struct life *l, LLVMValueRef i) {
    int listed = 0, effects = slot_effects(l->c, l->slot, i);
    return effects | (is_call(i) ? slot_bundle_effects(l->slot, i, &listed) : 0);
}

/* ---- Has its address escaped? -------------------------------------------------------------------------------- */

/* Whether the slot's address has escaped behind I, whose effects these are, if it had before: ESCAPED. */
static int escapes_at(const struct life *l, LLVMValueRef i, int effects, int escaped) {
    return effects & SLOT_DIES || i == l->slot->origin ? 0 : escaped || effects & SLOT_ESCAPES;
}

/* Whether it has at the end of block number N, ESCAPED being whether it has at its begin. */
static int escapes_through(const struct life *l, size_t n, int escaped) {
    if (!l->used[n])
        return escaped;
    for (LLVMValueRef i = LLVMGetFirstInstruction(l->body->graph.block[n]); i; i = LLVMGetNextInstruction(i))
        escaped = escapes_at(l, i, effects_of(l, i), escaped);
    return escaped;
}

/* Finds l->escaped. */
static void find_escaped(struct life *l) {
    const struct graph *g = &l->body->graph;
    for (size_t n = 0; n < g->blocks; n++)
        if (l->used[n] && escapes_through(l, n, 0))
            l->work[l->works++] = n;
    while (l->works) {
        size_t n = l->work[--l->works];
        for (size_t k = g->first_after[n]; k < g->first_after[n + 1]; k++) {
            size_t after = g->after[k];
            int known = l->escaped[after];
            l->escaped[after] = 1;
            if (!known && !(l->used[after] && escapes_through(l, after, 0)) && escapes_through(l, after, 1))
                l->work[l->works++] = after; /* it was not there from the begin on */
        }
    }
}

/* *New*: for each of the block's instructions whether the slot's address has escaped before it; NULL if it nowhere
 * has. *LENGTH is how many there are. */
static unsigned char *escaped_within(struct life *l, LLVMBasicBlockRef b, int escaped, size_t *length) {
    int any = escaped;
    *length = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i), ++*length)
        any = any || effects_of(l, i) & SLOT_ESCAPES;
    unsigned char *within = any ? xcalloc(*length + 1, 1) : NULL;
    size_t n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); within && i; i = LLVMGetNextInstruction(i)) {
        within[n++] = (unsigned char)escaped;
        escaped = escapes_at(l, i, effects_of(l, i), escaped);
    }
    return within;
}

/* ---- Is it alive? -------------------------------------------------------------------------------------------- */

/* Adds to the result the safepoints of block number N, the last one first. */
static void add_safepoints(struct life *l, size_t n) {
    for (size_t k = l->body->first_safepoint[n + 1]; k-- > l->body->first_safepoint[n];)
        set_add(&l->result->safepoints, l->body->safepoint.item[k]);
}

/* 1 if the slot is alive at the begin of block number N, given whether it is at its end. With COLLECT, adds to the
 * result. A safepoint at which the address has escaped reads the slot, so its contents are kept up on all paths to
 * there. */
static int live_through(struct life *l, size_t n, int alive, int collect) {
    if (!l->used[n]) {
        int any = l->body->first_safepoint[n] < l->body->first_safepoint[n + 1];
        if (collect && (alive || l->escaped[n]))
            add_safepoints(l, n);
        return alive || (l->escaped[n] && any);
    }
    LLVMBasicBlockRef b = l->body->graph.block[n];
    size_t at;
    unsigned char *escaped = escaped_within(l, b, l->escaped[n], &at);
    for (LLVMValueRef i = LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i)) {
        int effects = effects_of(l, i), used = effects & (SLOT_READS | SLOT_ESCAPES);
        at--;
        if (is_call(i) && is_safepoint(l->c, i)) {
            used |= escaped && escaped[at];
            if (collect && (alive || used))
                set_add(&l->result->safepoints, i);
        }
        if (collect && alive && (i == l->slot->origin || effects & SLOT_DIES))
            set_add(&l->result->begins, i);
        if (i == l->slot->origin || effects & (SLOT_DIES | SLOT_FILLS))
            alive = 0;
        alive |= used != 0;
    }
    free(escaped);
    return alive;
}

/* Notes that the slot is alive at the begin of block number N: its predecessors are updated later. */
static void enter_block(struct life *l, size_t n) {
    if (!l->entered[n])
        l->work[l->works++] = n;
    l->entered[n] = 1;
}

/* Finds l->alive, and the result. */
static void find_alive(struct life *l) {
    const struct graph *g = &l->body->graph;
    for (size_t n = 0; n < g->blocks; n++)
        if (live_through(l, n, 0, 0))
            enter_block(l, n);
    while (l->works) {
        size_t n = l->work[--l->works];
        for (size_t k = g->first_before[n]; k < g->first_before[n + 1]; k++) {
            size_t before = g->before[k];
            if (!l->alive[before] && !l->entered[before] && live_through(l, before, 1, 0))
                enter_block(l, before);
            l->alive[before] = 1;
        }
    }
    for (size_t n = 0; n < g->blocks; n++)
        live_through(l, n, l->alive[n], 1);
}

void slot_find_life(const struct compile *c, struct body *body, struct slot *slot, struct slot_life *life) {
    size_t n = body->graph.blocks + 1;
    struct life l = {.c = c,
                     .body = body,
                     .slot = slot,
                     .used = xcalloc(n, 1),
                     .escaped = xcalloc(n, 1),
                     .alive = xcalloc(n, 1),
                     .entered = xcalloc(n, 1),
                     .work = xcalloc(n, sizeof *l.work),
                     .result = life};
    slot_find_users(slot);
    slot_note_blocks(l.slot, &l.body->graph, l.used);
    find_escaped(&l);
    find_alive(&l);
    free(l.used);
    free(l.escaped);
    free(l.alive);
    free(l.entered);
    free(l.work);
}
