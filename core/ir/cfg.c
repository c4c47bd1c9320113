/* cfg.c - see cfg.h. Loops are strongly connected components by Tarjan's algorithm (R. Tarjan, "Depth-first search and
 * linear graph algorithms", 1972), without recursion: a module may nest as deep as it likes. */
#include "cfg.h"
#include "memory.h"

#include <stdlib.h>

/* How many successors the block has, and in *END its terminator (NULL if it lacks one). */
static unsigned successors(LLVMBasicBlockRef block, LLVMValueRef *end) {
    *end = LLVMGetBasicBlockTerminator(block);
    return *end ? LLVMGetNumSuccessors(*end) : 0;
}

/* Lists each block's successors, those of one block together. */
static void list_successors(struct graph *g) {
    LLVMValueRef end;
    size_t edges = 0;
    for (size_t i = 0; i < g->blocks; i++)
        edges += successors(g->block[i], &end);
    g->first_after = xcalloc(g->blocks + 1, sizeof *g->first_after);
    g->after = xcalloc(edges + 1, sizeof *g->after);
    size_t at = 0;
    for (size_t i = 0; i < g->blocks; i++) {
        for (unsigned k = 0, n = successors(g->block[i], &end); k < n; k++)
            g->after[at++] = graph_number(g, LLVMGetSuccessor(end, k));
        g->first_after[i + 1] = at;
    }
}

/* Lists each block's predecessors in the blocks' order. Requires the successors. */
static void list_predecessors(struct graph *g) {
    size_t edges = g->first_after[g->blocks];
    g->first_before = xcalloc(g->blocks + 2, sizeof *g->first_before);
    g->before = xcalloc(edges + 1, sizeof *g->before);
    for (size_t k = 0; k < edges; k++)
        g->first_before[g->after[k] + 2]++;
    for (size_t i = 2; i < g->blocks + 2; i++)
        g->first_before[i] += g->first_before[i - 1];
    for (size_t i = 0; i < g->blocks; i++)
        for (size_t k = g->first_after[i]; k < g->first_after[i + 1]; k++)
            g->before[g->first_before[g->after[k] + 1]++] = i;
}

static void number_blocks(struct graph *g, LLVMValueRef function) {
    *g = (struct graph){.blocks = LLVMCountBasicBlocks(function)};
    g->block = xcalloc(g->blocks + 1, sizeof(LLVMBasicBlockRef));
    LLVMGetBasicBlocks(function, g->block);
    for (size_t i = 0; i < g->blocks; i++)
        set_add(&g->numbers, g->block[i]);
    g->entry = 0;
}

void graph_make(struct graph *g, LLVMValueRef function) {
    number_blocks(g, function);
    list_successors(g);
    list_predecessors(g);
}

/* A block on the search's path, and its successor that comes next. */
struct frame {
    size_t block;
    unsigned next;
};

/* Searches from block FROM. PATH has room for all blocks. */
static void search_block(const struct graph *g, size_t from, struct frame *path, char *state, char *latch,
                         char *header) {
    size_t depth = 0;
    state[from] = BLOCK_ON_PATH;
    path[depth++] = (struct frame){from, 0};
    while (depth) {
        struct frame *top = &path[depth - 1];
        LLVMValueRef end;
        if (top->next == successors(g->block[top->block], &end)) {
            state[top->block] = BLOCK_DONE;
            depth--;
            continue;
        }
        size_t to = graph_number(g, LLVMGetSuccessor(end, top->next++));
        if (state[to] == BLOCK_ON_PATH)
            latch[top->block] = header[to] = 1;
        if (state[to] != BLOCK_UNSEEN)
            continue;
        state[to] = BLOCK_ON_PATH;
        path[depth++] = (struct frame){to, 0};
    }
}

void graph_backedges(const struct graph *g, int all, char *state, char *latch, char *header) {
    struct frame *path = xcalloc(g->blocks, sizeof *path);
    for (LLVMBasicBlockRef b = g->block[g->entry]; b; b = all ? LLVMGetNextBasicBlock(b) : NULL) {
        size_t i = graph_number(g, b);
        if (state[i] == BLOCK_UNSEEN)
            search_block(g, i, path, state, latch, header);
    }
    free(path);
}

void graph_free(struct graph *g) {
    free(g->block);
    set_free(&g->numbers);
    free(g->first_before);
    free(g->before);
    free(g->first_after);
    free(g->after);
}

/* ---- Loops --------------------------------------------------------------------------------------------------- */

struct loop_block {
    unsigned order, low; /* of the search; order 0: not visited */
    size_t next;         /* the number of the edge that it follows next */
    size_t parent;       /* of the search, SIZE_MAX for none */
    int on_stack, in_loop, returns;
    int removed; /* boolean: the search does as if it were not there */
};

/* Takes a complete component, down to ROOT, from the stack; its blocks are in a loop if they are more than one. */
static void pop_component(struct loops *l, size_t *stack, size_t *depth, size_t root) {
    int alone = stack[*depth - 1] == root;
    size_t i;
    do {
        i = stack[--*depth];
        l->block[i].on_stack = 0;
        l->block[i].in_loop |= !alone;
    } while (i != root);
}

/* Gives the block its number in the search's order, and puts it on the stack of open components. */
static void enter_loop_block(struct loops *l, size_t i, size_t parent, unsigned *order, size_t *stack,
                             size_t *depth) {
    l->block[i].order = l->block[i].low = ++*order;
    l->block[i].next = l->graph.first_after[i];
    l->block[i].parent = parent;
    l->block[i].on_stack = 1;
    stack[(*depth)++] = i;
}

/* Notes that an earlier block, of number LOW, can be reached from B. */
static void lower_root(struct loop_block *b, unsigned low) {
    if (low < b->low)
        b->low = low;
}

/* Tarjan's search from block FROM: finds the components reachable from it, and so which blocks are in loops, and
 * which may reach a return. */
static void search_loop(struct loops *l, size_t from, unsigned *order, size_t *stack, size_t *depth) {
    enter_loop_block(l, from, SIZE_MAX, order, stack, depth);
    for (size_t i = from; i != SIZE_MAX;) {
        struct loop_block *b = &l->block[i];
        if (b->next < l->graph.first_after[i + 1]) {
            size_t to = l->graph.after[b->next++];
            if (l->block[to].removed)
                continue;
            b->in_loop |= to == i;
            if (!l->block[to].order) {
                enter_loop_block(l, to, i, order, stack, depth);
                i = to;
            } else if (l->block[to].on_stack) {
                lower_root(b, l->block[to].order);
            }
            b->returns |= l->block[to].returns;
            continue;
        }
        LLVMValueRef end = LLVMGetBasicBlockTerminator(l->graph.block[i]);
        b->returns |= end && LLVMIsAReturnInst(end);
        if (b->low == b->order)
            pop_component(l, stack, depth, i);
        if (b->parent != SIZE_MAX) {
            lower_root(&l->block[b->parent], b->low);
            l->block[b->parent].returns |= b->returns;
        }
        i = b->parent;
    }
}

void loops_of(struct loops *l, LLVMValueRef function) {
    size_t depth = 0;
    unsigned order = 0;
    number_blocks(&l->graph, function);
    list_successors(&l->graph);
    l->block = xcalloc(l->graph.blocks, sizeof *l->block);
    size_t *stack = xmalloc(l->graph.blocks * sizeof *stack);
    for (size_t i = 0; i < l->graph.blocks; i++)
        if (!l->block[i].order)
            search_loop(l, i, &order, stack, &depth);
    free(stack);
}

int loops_contain(const struct loops *l, LLVMBasicBlockRef block) {
    return l->block[graph_number(&l->graph, block)].in_loop;
}

int loops_all_return(const struct loops *l) {
    for (size_t i = 0; i < l->graph.blocks; i++)
        if (!l->block[i].returns)
            return 0;
    return 1;
}

/* Searches anew without the blocks that are removed, and removes the header of each loop found; 0 if there was none.
 * ORDER lists the blocks as the first search came to them: a loop's header before what is in it. */
static int peel_loops(struct loops *l, const size_t *order) {
    size_t *stack = xmalloc(l->graph.blocks * sizeof *stack), depth = 0;
    unsigned visited = 0;
    int any = 0;
    for (size_t i = 0; i < l->graph.blocks; i++) {
        struct loop_block *b = &l->block[i];
        b->order = b->low = 0;
        b->in_loop = 0;
    }
    for (size_t n = 0; n < l->graph.blocks; n++)
        if (!l->block[order[n]].order && !l->block[order[n]].removed)
            search_loop(l, order[n], &visited, stack, &depth);
    for (size_t i = 0; i < l->graph.blocks; i++) {
        l->block[i].removed |= l->block[i].in_loop && l->block[i].low == l->block[i].order;
        any |= l->block[i].in_loop;
    }
    free(stack);
    return any;
}

unsigned loops_depth(LLVMValueRef function, unsigned limit) {
    struct loops l;
    unsigned depth = 0;
    if (LLVMCountBasicBlocks(function) < limit) /* each loop has a header of its own */
        return 0;
    loops_of(&l, function);
    size_t *order = xmalloc(l.graph.blocks * sizeof *order);
    for (size_t i = 0; i < l.graph.blocks; i++)
        order[l.block[i].order - 1] = i;
    while (depth < limit && peel_loops(&l, order))
        depth++;
    free(order);
    loops_free(&l);
    return depth;
}

void loops_free(struct loops *l) {
    free(l->block);
    graph_free(&l->graph);
    *l = (struct loops){0};
}

int loops_in(LLVMValueRef function) {
    struct loops loops;
    if (!LLVMGetFirstBasicBlock(function))
        return 0;
    int result = 0;
    loops_of(&loops, function);
    for (size_t i = 0; i < loops.graph.blocks && !result; i++)
        result = loops.block[i].in_loop;
    loops_free(&loops);
    return result;
}
