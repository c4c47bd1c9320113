/* slot_flow.c - a forward data-flow over one slot: is a reference in it read after a safepoint that does not list it?
 *
 * Only blocks are visited from which a read of what comes into them can be reached, unless the slot's address escapes: then
 * each safepoint after that reads it. So a slot that few blocks use costs little, however many others there are. */
#include "body.h"
#include "ir.h"
#include "reference_layout.h"
#include "slot_address.h"
#include "slots.h"

/* What is true of a slot at a place. */
enum { WRITTEN = 1, CROSSED = 2, ESCAPED = 4 };

struct slot_state {
    unsigned is;            /* WRITTEN, CROSSED, ESCAPED */
    LLVMValueRef safepoint; /* that was crossed */
};

struct slot_flow {
    const struct compile *c;
    struct slot *slot;
    const struct body *body;
    unsigned char *in;          /* owned: what is true at each block's begin: WRITTEN, CROSSED, ESCAPED */
    LLVMValueRef *safepoint;    /* owned: that was crossed on a way there */
    unsigned char *asked;       /* owned: what is true at the block's begin matters */
    struct slot_events events;  /* owned */
    int is_scoped;              /* boolean: what is old in it is cleared before its scope begins */
    unsigned char *changed;     /* owned: what is true at the block's begin is not passed on yet */
    struct slot_finding result; /* the first finding */
};

/* Notes the first finding: READ uses what became old at SAFEPOINT. */
static void note_finding(struct slot_flow *w, LLVMValueRef safepoint, LLVMValueRef read) {
    if (!w->result.read)
        w->result = (struct slot_finding){safepoint, read};
}

/* Changes the state S at the safepoints FIRST to END, which do not list the slot: what was written is old from here on.
 * A finding if the address has escaped. */
static void cross(struct slot_flow *w, size_t first, size_t end, struct slot_state *s) {
    void **safepoint = w->body->safepoint.item;
    if (first < end && s->is & ESCAPED)
        note_finding(w, safepoint[first], safepoint[first]);
    if (first < end && s->is & WRITTEN)
        *s = (struct slot_state){s->is | CROSSED, safepoint[end - 1]};
}

/* Changes the state S by what the event does to the slot; a finding if it reads what became old at a safepoint, as a
 * safepoint does that lists it. */
static void step(struct slot_flow *w, const struct slot_event *e, struct slot_state *s) {
    LLVMValueRef i = e->instruction;
    unsigned effects = e->effects;
    if (effects & (SLOT_READS | SLOT_ESCAPES) && s->is & CROSSED && !(e->listed && w->is_scoped))
        note_finding(w, s->safepoint, i);
    if (effects & SLOT_FILLS)
        s->is &= ~(unsigned)(CROSSED | WRITTEN);
    if (effects & SLOT_DIES)
        s->is = 0;
    s->is |= effects & SLOT_WRITES ? WRITTEN : 0;
    s->is |= effects & SLOT_ESCAPES ? ESCAPED | WRITTEN : 0;
    if (!e->listed)
        cross(w, e->first, e->end, s);
}

/* Joins S into the state at the begin of block number TO. */
static void flow_into(struct slot_flow *w, size_t to, struct slot_state s) {
    unsigned before = w->in[to];
    if (!w->asked[to])
        return;
    if (!(before & CROSSED))
        w->safepoint[to] = s.safepoint;
    w->in[to] |= (unsigned char)s.is;
    w->changed[to] |= w->in[to] != before;
}

/* Runs block N from its state at its begin and joins the result into its successors. */
static void flow_block(struct slot_flow *w, size_t n) {
    const struct body *body = w->body;
    size_t first = w->events.first[n], end = w->events.first[n + 1];
    struct slot_state s = {w->in[n], w->in[n] & CROSSED ? w->safepoint[n] : NULL};
    w->changed[n] = 0;
    for (size_t k = first; k < end; k++)
        step(w, &w->events.event[k], &s);
    if (first == end)
        cross(w, body->first_safepoint[n], body->first_safepoint[n + 1], &s);
    for (size_t k = body->graph.first_after[n]; k < body->graph.first_after[n + 1]; k++)
        flow_into(w, body->graph.after[k], s);
}

/* 1 if what comes into block number N is read in it; *ENDS: it does not get to the block's end. */
static int reads_first(const struct slot_flow *w, size_t n, int *ends) {
    *ends = 0;
    for (size_t k = w->events.first[n]; k < w->events.first[n + 1]; k++) {
        const struct slot_event *e = &w->events.event[k];
        if (e->effects & SLOT_READS && !(e->listed && w->is_scoped))
            return 1;
        if (e->effects & (SLOT_FILLS | SLOT_DIES)) {
            *ends = 1;
            return 0;
        }
    }
    return 0;
}

/* Finds w->asked. Its blocks are visited backwards from those that read. */
static void find_asked(struct slot_flow *w) {
    const struct graph *g = &w->body->graph;
    size_t *work = xmalloc((g->blocks + 1) * sizeof *work), works = 0;
    int escapes = 0, ends;
    for (size_t k = 0; k < w->events.count && !escapes; k++)
        escapes = (w->events.event[k].effects & SLOT_ESCAPES) != 0;
    w->asked = xcalloc(g->blocks + 1, 1);
    if (escapes)
        memset(w->asked, 1, g->blocks);
    for (size_t k = 0; k < w->events.blocks && !escapes; k++)
        if (reads_first(w, w->events.block[k], &ends)) {
            w->asked[w->events.block[k]] = 1;
            work[works++] = w->events.block[k];
        }
    while (works) {
        size_t n = work[--works];
        for (size_t k = g->first_before[n]; k < g->first_before[n + 1]; k++) {
            size_t before = g->before[k];
            if (w->asked[before] || reads_first(w, before, &ends) || ends)
                continue;
            w->asked[before] = 1;
            work[works++] = before;
        }
    }
    free(work);
}

/* Follows the slot through F to a fixed point, or up to the first finding, which is in w->result. */
static void flow_run(const struct compile *c, struct slot_flow *w, struct body *body, LLVMValueRef f) {
    body_of(body, c, f);
    size_t blocks = body->graph.blocks;
    unsigned char *next;
    const struct region *region = region_find(c, w->slot->origin);
    w->c = c;
    w->body = body;
    w->is_scoped = region && region->is_scoped;
    slot_list_events(c, w->slot, body, &w->events);
    find_asked(w);
    w->in = xcalloc(blocks + 1, 1);
    w->safepoint = xmalloc((blocks + 1) * sizeof(LLVMValueRef));
    w->changed = xcalloc(blocks + 1, 1);
    for (size_t k = 0; k < w->events.blocks; k++) /* in others nothing begins */
        w->changed[w->events.block[k]] = 1;
    if (LLVMIsAArgument(w->slot->origin))
        flow_into(w, body->graph.entry, (struct slot_state){WRITTEN, NULL});
    while (!w->result.read && (next = memchr(w->changed, 1, blocks)) != NULL) /* in their order, round after round */
        for (; next && !w->result.read; next = memchr(next, 1, blocks - (size_t)(next - w->changed)))
            flow_block(w, (size_t)(next++ - w->changed));
}

struct slot_finding slot_follow(const struct compile *c, LLVMValueRef f, struct body *body, struct slot *slot) {
    struct slot_flow w = {.slot = slot};
    flow_run(c, &w, body, f);
    free(w.in);
    free(w.safepoint);
    free(w.asked);
    slot_free_events(&w.events);
    free(w.changed);
    return w.result;
}
