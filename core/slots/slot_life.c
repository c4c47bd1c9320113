/* slot_life.c - where a stack slot is alive: from where it is written until it is read for the last time, or, once others
 * know its address, until it dies, and on the ways that lead to a safepoint where they do.
 *
 * Two flows over the function's blocks, each a bit that only goes from 0 to 1: forwards whether the address has escaped,
 * backwards whether the slot is alive. A block without a use of the slot passes them on; only others are walked through.
 */
#include "slot_life.h"
#include "ir.h"
#include "slot_address.h"

struct life {
    const struct body *body;
    struct slot *slot;
    struct slot_events events; /* owned */
    unsigned char *known;      /* owned: at each event, the slot's address has escaped before */
    unsigned char *escaped;    /* owned: at the block's begin, the slot's address has escaped */
    unsigned char *alive;      /* owned: at the block's end, the slot will be read or reported */
    unsigned char *entered;    /* owned: at the block's begin, likewise */
    size_t *work, works;       /* owned: blocks whose neighbours are still to be updated */
    struct slot_life *result;
};

/* 1 if the block has no use of the slot. */
static int passes(const struct life *l, size_t n) {
    return l->events.first[n] == l->events.first[n + 1];
}

/* ---- Has its address escaped? -------------------------------------------------------------------------------- */

/* 1 if the slot's address has escaped at the end of block number N, ESCAPED being whether it has at its begin. */
static int escapes_through(const struct life *l, size_t n, int escaped) {
    for (size_t k = l->events.first[n]; k < l->events.first[n + 1]; k++) {
        l->known[k] = (unsigned char)escaped;
        if (l->events.event[k].effects & SLOT_DIES || l->events.event[k].instruction == l->slot->origin)
            escaped = 0;
        else
            escaped |= (l->events.event[k].effects & SLOT_ESCAPES) != 0;
    }
    return escaped;
}

/* Finds l->escaped and l->known. */
static void find_escaped(struct life *l) {
    const struct graph *g = &l->body->graph;
    for (size_t k = 0; k < l->events.blocks; k++)
        if (escapes_through(l, l->events.block[k], 0))
            l->work[l->works++] = l->events.block[k];
    while (l->works) {
        size_t n = l->work[--l->works];
        for (size_t k = g->first_after[n]; k < g->first_after[n + 1]; k++) {
            size_t after = g->after[k];
            int known = l->escaped[after];
            l->escaped[after] = 1;
            if (!known && !escapes_through(l, after, 0) && escapes_through(l, after, 1))
                l->work[l->works++] = after; /* it was not there from the begin on */
        }
    }
    for (size_t k = 0; k < l->events.blocks; k++)
        escapes_through(l, l->events.block[k], l->escaped[l->events.block[k]]);
}

/* ---- Is it alive? -------------------------------------------------------------------------------------------- */

/* Adds to the result the safepoints FIRST to END, the last one first. */
static void add_safepoints(struct life *l, size_t first, size_t end) {
    for (size_t k = end; k-- > first;)
        set_add(&l->result->safepoints, l->body->safepoint.item[k]);
}

/* 1 if the slot is alive at the begin of block number N, given whether it is at its end. With COLLECT, adds to the
 * result. A safepoint at which the address has escaped reads the slot, so its contents are kept up on all paths to
 * there. */
static int live_through(struct life *l, size_t n, int alive, int collect) {
    if (passes(l, n)) {
        size_t first = l->body->first_safepoint[n], end = l->body->first_safepoint[n + 1];
        if (collect && (alive || l->escaped[n]))
            add_safepoints(l, first, end);
        return alive || (l->escaped[n] && first < end);
    }
    for (size_t k = l->events.first[n + 1]; k-- > l->events.first[n];) {
        const struct slot_event *e = &l->events.event[k];
        int effects = l->events.event[k].effects, is_origin = e->instruction == l->slot->origin;
        int used = effects & (SLOT_READS | SLOT_ESCAPES) || (e->first < e->end && l->known[k]);
        if (collect && (alive || used))
            add_safepoints(l, e->first, e->end);
        if (collect && alive && (is_origin || effects & SLOT_DIES))
            set_add(&l->result->begins, e->instruction);
        if (is_origin || effects & (SLOT_DIES | SLOT_FILLS))
            alive = 0;
        alive |= used;
    }
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
    struct life l = {.body = body,
                     .slot = slot,
                     .escaped = xcalloc(n, 1),
                     .alive = xcalloc(n, 1),
                     .entered = xcalloc(n, 1),
                     .work = xcalloc(n, sizeof *l.work),
                     .result = life};
    slot_list_events(c, slot, body, &l.events);
    l.known = xcalloc(l.events.count + 1, 1);
    find_escaped(&l);
    find_alive(&l);
    slot_free_events(&l.events);
    free(l.known);
    free(l.escaped);
    free(l.alive);
    free(l.entered);
    free(l.work);
}
