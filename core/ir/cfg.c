/* cfg.c - see cfg.h. */
#include "cfg.h"
#include "memory.h"
#include "set.h"
#include "state.h"

#include <assert.h>
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

void graph_number_blocks(struct graph *g, LLVMValueRef function) {
    *g = (struct graph){.blocks = LLVMCountBasicBlocks(function)};
    g->block = xcalloc(g->blocks + 1, sizeof(LLVMBasicBlockRef));
    LLVMGetBasicBlocks(function, g->block);
    for (size_t i = 0; i < g->blocks; i++)
        set_add(&g->numbers, g->block[i]);
    g->entry = 0;
}

void graph_make(struct graph *g, LLVMValueRef function) {
    graph_number_blocks(g, function);
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
