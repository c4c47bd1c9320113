/* elisions.c - see elisions.h. */
#include "elisions.h"
#include "cfg.h"
#include "interval.h"
#include "ir.h"
#include "safepoints.h"

struct backedge {
    LLVMValueRef function;
    LLVMBasicBlockRef header, latch;
    int calls; /* boolean: every path from the header to the latch makes a call */
};

struct elisions {
    struct backedge *edge;
    size_t edges, room;
    LLVMBasicBlockRef *old; /* all blocks before the placement, by address */
    size_t olds, olds_room;
};

enum { BLOCKS_MAX = 2000 }; /* of a function that is looked at: the search takes the square of its blocks at worst */

static int by_block_address(const void *a, const void *b) {
    LLVMBasicBlockRef x = *(LLVMBasicBlockRef const *)a, y = *(LLVMBasicBlockRef const *)b;
    return (x > y) - (x < y);
}

/* ---- Reachability --------------------------------------------------------------------------------------------- */

/* A function's blocks, and a mark for each. */
struct search {
    struct graph graph; /* owned */
    char *seen;         /* owned */
    size_t *stack;      /* owned */
};

/* Numbers the blocks of F. */
static void search_of(struct search *s, LLVMValueRef f) {
    graph_make(&s->graph, f);
    s->seen = xcalloc(s->graph.blocks, 1);
    s->stack = xcalloc(s->graph.blocks, sizeof *s->stack);
}

static void search_free_elision(struct search *s) {
    graph_free(&s->graph);
    free(s->seen);
    free(s->stack);
    *s = (struct search){0};
}

static int has_call(LLVMBasicBlockRef b);

/* 1 if a path leads from FROM to TO that avoids WITHOUT (NULL: none) and, unless CALLS is 1, every block with a call;
 * FROM and TO are looked at as well. */
static int reaches(struct search *s, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef without,
                   int calls) {
    size_t depth = 0;
    memset(s->seen, 0, s->graph.blocks);
    if (from == without || (!calls && has_call(from)))
        return 0;
    s->seen[graph_number(&s->graph, from)] = 1;
    s->stack[depth++] = graph_number(&s->graph, from);
    while (depth) {
        LLVMBasicBlockRef b = s->graph.block[s->stack[--depth]];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (b == to)
            return 1;
        for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
            size_t n = graph_number(&s->graph, next);
            if (s->seen[n] || next == without || (!calls && has_call(next)))
                continue;
            s->seen[n] = 1;
            s->stack[depth++] = n;
        }
    }
    return 0;
}

/* 1 if the block has a call that may be a safepoint. */
static int has_call(LLVMBasicBlockRef b) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (calls_safepoint(i))
            return 1;
    return 0;
}

/* ---- Before --------------------------------------------------------------------------------------------------- */

/* Appends EDGE. */
static void add_edge_elision(struct elisions *e, const struct backedge *edge) {
    e->edge = xgrow(e->edge, e->edges, &e->room, sizeof *e->edge);
    e->edge[e->edges++] = *edge;
}

/* Adds F's backedges: edges to a block that dominates their own, and whether each path round makes a call. Edges to
 * the entry and from unreachable blocks are left out. */
static void find_edges_elision(struct elisions *e, LLVMValueRef f, struct search *s) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            if (to == entry || (b != to && !reaches(s, to, b, NULL, 1)) || (b != to && reaches(s, entry, b, to, 1)) ||
                !reaches(s, entry, b, NULL, 1))
                continue;
            struct backedge edge = {f, to, b, !reaches(s, to, b, NULL, 0)};
            add_edge_elision(e, &edge);
        }
    }
}

/* Notes all blocks of G as old, so that those which the placement adds are known. */
static void keep_blocks(struct elisions *e, const struct graph *g) {
    for (size_t i = 0; i < g->blocks; i++) {
        e->old = xgrow((void *)e->old, e->olds, &e->olds_room, sizeof(LLVMBasicBlockRef));
        e->old[e->olds++] = g->block[i];
    }
}

/* Before polls are placed: the backedges of all functions that are polled at backedges; NULL if no remarks are asked
 * for. */
struct elisions *elisions_before(const struct compile *c) {
    struct elisions *e = c->options->emit & SM_EMIT_REMARKS ? xcalloc(1, sizeof *e) : NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); e && f; f = LLVMGetNextFunction(f)) {
        struct search s = {0};
        if (!(function_polls(c, f) & SM_SP_BACKEDGE) || interval_of(c, f) || LLVMCountBasicBlocks(f) > BLOCKS_MAX)
            continue;
        search_of(&s, f);
        find_edges_elision(e, f, &s);
        keep_blocks(e, &s.graph);
        search_free_elision(&s);
    }
    if (e && e->olds)
        qsort((void *)e->old, e->olds, sizeof(LLVMBasicBlockRef), by_block_address);
    return e;
}

/* ---- After ---------------------------------------------------------------------------------------------------- */

/* 1 if the block has a poll of a backedge. */
static int has_poll(LLVMBasicBlockRef b) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (call_has_reason(i, "backedge-poll"))
            return 1;
    return 0;
}

/* 1 if B was there before polls were placed. */
static int is_old(const struct elisions *e, LLVMBasicBlockRef b) {
    return bsearch(&b, e->old, e->olds, sizeof b, by_block_address) != NULL;
}

/* 1 if there is a poll on the path from the edge's latch to its header: in the latch itself, or in blocks that the
 * placement added. */
static int is_polled(const struct elisions *e, const struct backedge *edge, struct search *s) {
    size_t depth = 0;
    memset(s->seen, 0, s->graph.blocks);
    s->stack[depth++] = graph_number(&s->graph, edge->latch);
    while (depth) {
        LLVMBasicBlockRef b = s->graph.block[s->stack[--depth]];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (has_poll(b))
            return 1;
        for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
            size_t n = graph_number(&s->graph, LLVMGetSuccessor(end, i));
            if (s->seen[n] || is_old(e, s->graph.block[n]))
                continue;
            s->seen[n] = 1;
            s->stack[depth++] = n;
        }
    }
    return 0;
}

/* Remarks why the loop of EDGE has no poll: every turn makes a call, or its turns can be counted. */
static void remark_unpolled(struct compile *c, const struct backedge *edge) {
    const char *name = LLVMGetBasicBlockName(edge->header);
    char loop[80] = "a loop without a name";
    if (name[0])
        snprintf(loop, sizeof loop, "loop '%.60s'", name);
    if (edge->calls)
        remark(c, "place-safepoints", edge->function, "no backedge poll in %s: every turn makes a call", loop);
    else
        remark(c, "place-safepoints", edge->function,
               "no backedge poll in %s: its turns can be counted in %d bits (counted_loop_bits)", loop,
               c->options->counted_loop_bits);
}

/* After polls are placed: remarks each backedge that got none, and frees E (which may be NULL). */
void elisions_after(struct compile *c, struct elisions *e) {
    struct search s = {0};
    for (size_t i = 0; e && i < e->edges; i++) {
        if (i == 0 || e->edge[i].function != e->edge[i - 1].function) {
            search_free_elision(&s);
            search_of(&s, e->edge[i].function);
        }
        if (!is_polled(e, &e->edge[i], &s))
            remark_unpolled(c, &e->edge[i]);
    }
    search_free_elision(&s);
    if (e) {
        free(e->edge);
        free((void *)e->old);
    }
    free(e);
}
