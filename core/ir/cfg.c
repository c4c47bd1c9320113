/* cfg.c - see cfg.h. */
#include "cfg.h"
#include "set.h"
#include "state.h"

#include <assert.h>
#include <stdlib.h>

size_t graph_number(const struct graph *g, LLVMBasicBlockRef block) {
    size_t number = set_number(&g->numbers, block);
    assert(number < g->blocks);
    return number;
}

/* How many successors the block has, and in *END its terminator (NULL if it lacks one). */
static unsigned successors(LLVMBasicBlockRef block, LLVMValueRef *end) {
    *end = LLVMGetBasicBlockTerminator(block);
    return *end ? LLVMGetNumSuccessors(*end) : 0;
}

/* Lists each block's successors, those of one block together; 0 if out of memory. */
static int list_successors(struct graph *g) {
    LLVMValueRef end;
    size_t edges = 0;
    for (size_t i = 0; i < g->blocks; i++)
        edges += successors(g->block[i], &end);
    g->first_after = calloc(g->blocks + 1, sizeof *g->first_after);
    g->after = calloc(edges + 1, sizeof *g->after);
    if (!g->first_after || !g->after)
        return 0;
    size_t at = 0;
    for (size_t i = 0; i < g->blocks; i++) {
        for (unsigned k = 0, n = successors(g->block[i], &end); k < n; k++)
            g->after[at++] = graph_number(g, LLVMGetSuccessor(end, k));
        g->first_after[i + 1] = at;
    }
    return 1;
}

/* Lists each block's predecessors in the blocks' order; 0 if out of memory. Requires the successors. */
static int list_predecessors(struct graph *g) {
    size_t edges = g->first_after[g->blocks];
    g->first_before = calloc(g->blocks + 2, sizeof *g->first_before);
    g->before = calloc(edges + 1, sizeof *g->before);
    if (!g->first_before || !g->before)
        return 0;
    for (size_t k = 0; k < edges; k++)
        g->first_before[g->after[k] + 2]++;
    for (size_t i = 2; i < g->blocks + 2; i++)
        g->first_before[i] += g->first_before[i - 1];
    for (size_t i = 0; i < g->blocks; i++)
        for (size_t k = g->first_after[i]; k < g->first_after[i + 1]; k++)
            g->before[g->first_before[g->after[k] + 1]++] = i;
    return 1;
}

int graph_number_blocks(struct graph *g, LLVMValueRef function) {
    *g = (struct graph){.blocks = LLVMCountBasicBlocks(function)};
    g->block = calloc(g->blocks + 1, sizeof(LLVMBasicBlockRef));
    if (!g->block)
        return 0;
    LLVMGetBasicBlocks(function, g->block);
    for (size_t i = 0; i < g->blocks; i++)
        set_add(&g->numbers, g->block[i]);
    g->entry = 0;
    return !g->numbers.failed;
}

int graph_make(struct graph *g, LLVMValueRef function) {
    return graph_number_blocks(g, function) && list_successors(g) && list_predecessors(g);
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

int graph_backedges(const struct graph *g, int all, char *state, char *latch, char *header) {
    struct frame *path = calloc(g->blocks, sizeof *path);
    for (LLVMBasicBlockRef b = g->block[g->entry]; path && b; b = all ? LLVMGetNextBasicBlock(b) : NULL) {
        size_t i = graph_number(g, b);
        if (state[i] == BLOCK_UNSEEN)
            search_block(g, i, path, state, latch, header);
    }
    int ok = path != NULL;
    free(path);
    return ok;
}

void graph_free(struct graph *g) {
    free(g->block);
    set_free(&g->numbers);
    free(g->first_before);
    free(g->before);
    free(g->first_after);
    free(g->after);
}
