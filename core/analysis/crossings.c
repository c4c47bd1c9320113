/* crossings.c - does a safepoint lie between a value and a use of it? For many values of one function.
 *
 * Safepoints cut the blocks into segments. A root has an edge to each segment that begins behind a safepoint. So a
 * segment is reached from the root if a way leads there from a safepoint, and each such way passes a value if the
 * segment of the value dominates it (K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", 2001).
 */
#include "analysis.h"

#include <string.h>

struct dominators {
    const struct body *body;
    size_t root;   /* a number behind those of the segments */
    size_t *order; /* owned: the segments that are reached, in post order; then the root */
    size_t *place; /* owned: each one's in ORDER */
    size_t count;
    size_t *parent;                   /* owned: each one's nearest dominator, among those that are known */
    unsigned char *seen, *has_parent; /* owned */
};

static size_t first_segment(const struct body *b, size_t block) {
    return block + b->first_safepoint[block];
}

static size_t last_segment(const struct body *b, size_t block) {
    return block + b->first_safepoint[block + 1];
}

/* ---- Post order ---------------------------------------------------------------------------------------------- */

static void leave_segment(struct dominators *d, size_t segment) {
    d->place[segment] = d->count;
    d->order[d->count++] = segment;
}

/* A block whose end is reached, and the number of the edge that comes next. */
struct step {
    size_t block, edge;
};

/* Searches from the end of block FROM. PATH has room for all blocks. */
static void search_from(struct dominators *d, size_t from, struct step *path) {
    const struct graph *g = &d->body->graph;
    size_t depth = 0;
    path[depth++] = (struct step){from, g->first_after[from]};
    while (depth) {
        struct step *top = &path[depth - 1];
        if (top->edge == g->first_after[top->block + 1]) {
            leave_segment(d, last_segment(d->body, top->block));
            depth--;
            continue;
        }
        size_t to = g->after[top->edge++], head = first_segment(d->body, to);
        if (d->seen[head])
            continue;
        d->seen[head] = 1;
        if (head == last_segment(d->body, to))
            path[depth++] = (struct step){to, g->first_after[to]};
        else
            leave_segment(d, head);
    }
}

/* Orders all segments that are reached, and gives those behind safepoints the root as parent. */
static void order_segments(struct dominators *d) {
    const struct body *b = d->body;
    struct step *path = xcalloc(b->graph.blocks + 1, sizeof *path);
    for (size_t n = 0; n < b->graph.blocks; n++)
        for (size_t k = first_segment(b, n) + 1; k <= last_segment(b, n); k++) {
            d->has_parent[k] = 1;
            d->parent[k] = d->root;
            if (k < last_segment(b, n))
                leave_segment(d, k);
            else
                search_from(d, n, path);
        }
    leave_segment(d, d->root);
    free(path);
}

/* ---- Dominators ---------------------------------------------------------------------------------------------- */

static size_t common_dominator(const struct dominators *d, size_t a, size_t b) {
    while (a != b)
        if (d->place[a] < d->place[b])
            a = d->parent[a];
        else
            b = d->parent[b];
    return a;
}

/* Finds the parent of the first segment of the block anew. 1 if it is another one. */
static int update_parent(struct dominators *d, size_t block) {
    const struct graph *g = &d->body->graph;
    size_t head = first_segment(d->body, block), parent = SIZE_MAX;
    for (size_t k = g->first_before[block]; k < g->first_before[block + 1]; k++) {
        size_t before = last_segment(d->body, g->before[k]);
        if (d->has_parent[before])
            parent = parent == SIZE_MAX ? before : common_dominator(d, before, parent);
    }
    if (parent == SIZE_MAX || (d->has_parent[head] && d->parent[head] == parent))
        return 0;
    d->has_parent[head] = 1;
    d->parent[head] = parent;
    return 1;
}

/* Finds the parents. BLOCK_OF: of each first segment, the block. */
static void find_parents(struct dominators *d, const size_t *block_of) {
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t k = d->count - 1; k-- > 0;)
            if (block_of[d->order[k]] != SIZE_MAX)
                changed |= update_parent(d, block_of[d->order[k]]);
    }
}

/* Numbers the segments so that those which one dominates have the numbers from its own to its last. */
static void number_tree(const struct dominators *d, struct crossings *x) {
    size_t *next = xcalloc(d->root + 1, sizeof *next);
    for (size_t k = 0; k < d->count; k++) /* how many it dominates, with itself */
        x->last[d->order[k]] = 1;
    for (size_t k = 0; k + 1 < d->count; k++)
        x->last[d->parent[d->order[k]]] += x->last[d->order[k]];
    x->enter[d->root] = 1;
    for (size_t k = d->count; k-- > 0;) {
        size_t at = d->order[k], parent = at == d->root ? at : d->parent[at];
        if (at != d->root) {
            x->enter[at] = next[parent];
            next[parent] += x->last[at];
        }
        next[at] = x->enter[at] + 1;
    }
    for (size_t k = 0; k < d->count; k++)
        x->last[d->order[k]] += x->enter[d->order[k]] - 1;
    free(next);
}

/* ---- Crossings ----------------------------------------------------------------------------------------------- */

/* Notes the segment of each instruction, and in BLOCK_OF the block of each first segment. */
static void note_segments(struct crossings *x, size_t *block_of) {
    const struct body *b = &x->body;
    for (size_t n = 0; n < b->graph.blocks; n++) {
        size_t segment = first_segment(b, n), next = b->first_safepoint[n];
        block_of[segment] = n;
        for (size_t k = b->first[n]; k < b->first[n + 1]; k++) {
            x->segment[k] = segment;
            if (next < b->first_safepoint[n + 1] && b->instruction.item[k] == b->safepoint.item[next]) {
                segment++;
                next++;
            }
        }
    }
}

static void make_crossings(struct crossings *x, const struct compile *c, LLVMValueRef f) {
    body_of(&x->body, c, f);
    body_number_all(&x->body);
    size_t n = x->body.graph.blocks + x->body.safepoint.count, *block_of = xmalloc((n + 1) * sizeof *block_of);
    struct dominators d = {.body = &x->body,
                           .root = n,
                           .order = xcalloc(n + 1, sizeof(size_t)),
                           .place = xcalloc(n + 1, sizeof(size_t)),
                           .parent = xcalloc(n + 1, sizeof(size_t)),
                           .seen = xcalloc(n + 1, 1),
                           .has_parent = xcalloc(n + 1, 1)};
    x->segment = xcalloc(x->body.instruction.count + 1, sizeof *x->segment);
    x->enter = xcalloc(n + 1, sizeof *x->enter);
    x->last = xcalloc(n + 1, sizeof *x->last);
    memset(block_of, 0xff, (n + 1) * sizeof *block_of);
    note_segments(x, block_of);
    order_segments(&d);
    find_parents(&d, block_of);
    number_tree(&d, x);
    free(block_of);
    free(d.order);
    free(d.place);
    free(d.parent);
    free(d.seen);
    free(d.has_parent);
}

int crossings_spot(struct crossings *x, const struct compile *c, LLVMValueRef i, struct spot *spot) {
    if (!x->body.function)
        make_crossings(x, c, function_of(i));
    size_t number = set_number(&x->body.instruction, i);
    if (number == x->body.instruction.count)
        return 0;
    *spot = (struct spot){x->segment[number], number};
    return 1;
}

/* spot_crosses of V and the end of BLOCK. */
static int crosses_to_end(const struct crossings *x, struct spot v, LLVMBasicBlockRef block) {
    size_t n = graph_number(&x->body.graph, block);
    return spot_crosses(x, v, (struct spot){last_segment(&x->body, n), x->body.first[n + 1]});
}

/* The same of V and where PHI takes it: by way of the value's uses or the phi's blocks, whichever are fewer. */
static int crosses_to_phi(const struct crossings *x, struct spot at, LLVMValueRef v, LLVMValueRef phi) {
    unsigned taken = LLVMCountIncoming(phi), uses = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use && uses <= taken; use = LLVMGetNextUse(use))
        uses++;
    for (LLVMUseRef use = uses <= taken ? LLVMGetFirstUse(v) : NULL; use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) == phi && crosses_to_end(x, at, LLVMGetIncomingBlock(phi, use_operand(use))))
            return 1;
    for (unsigned i = 0; uses > taken && i < taken; i++)
        if (LLVMGetIncomingValue(phi, i) == v && crosses_to_end(x, at, LLVMGetIncomingBlock(phi, i)))
            return 1;
    return 0;
}

int crossings_between(struct crossings *x, struct compile *c, LLVMValueRef v, LLVMValueRef user) {
    struct spot at = {PARAMETER, 0}, use;
    if (!crossings_spot(x, c, user, &use) ||
        (!LLVMIsAArgument(v) && (is_safepoint(c, v) || !LLVMIsAInstruction(v) || !crossings_spot(x, c, v, &at))))
        return crosses(c, v, user) != NULL;
    return LLVMIsAPHINode(user) ? crosses_to_phi(x, at, v, user) : spot_crosses(x, at, use);
}
