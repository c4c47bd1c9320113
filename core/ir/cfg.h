/* cfg.h - the blocks of a function by number, their edges in both directions, its loops' backedges, and which blocks
 * lie in a loop, that is, can be reached from themselves. */
#ifndef CORE_GRAPH_H
#define CORE_GRAPH_H

#include "set.h"
#include "state.h"

#include <assert.h>
#include <llvm-c/Core.h>
#include <stddef.h>

struct graph {
    LLVMBasicBlockRef *block; /* owned; in the function's order, as what is done in this order shows in the module */
    size_t blocks;
    struct set numbers; /* owned: the same blocks, to find the number of one */
    size_t entry;
    /* block i's predecessors are before[first_before[i]] to before[first_before[i + 1]], its successors likewise */
    size_t *first_before, *before, *first_after, *after; /* owned; NULL without edges */
};

/* Numbers the blocks, and notes their edges. */
void graph_make(struct graph *g, LLVMValueRef function);
void graph_free(struct graph *g);

/* The number of a block of the function. */
static inline size_t graph_number(const struct graph *g, LLVMBasicBlockRef block) {
    size_t number = set_number(&g->numbers, block);
    assert(number < g->blocks);
    return number;
}

/* Sets in SEEN the bytes of all blocks that are reached from the end of block number FROM. WORK has room for all blocks,
 * and one more. */
static inline void graph_follow(const struct graph *g, size_t from, unsigned char *seen, size_t *work) {
    size_t works = 0;
    work[works++] = from;
    while (works) {
        size_t n = work[--works];
        for (size_t k = g->first_after[n]; k < g->first_after[n + 1]; k++)
            if (!seen[g->after[k]]) {
                seen[g->after[k]] = 1;
                work[works++] = g->after[k];
            }
    }
}

enum { BLOCK_UNSEEN, BLOCK_ON_PATH, BLOCK_DONE }; /* of a depth-first search */

/* Depth-first search from the entry, and with ALL from the other blocks in their order: marks in LATCH and HEADER the
 * ends of each edge that leads back to a block on the current path, so that each cycle, reducible or not, has one.
 * STATE has a byte for each block; the search does not enter those that are done. */
void graph_backedges(const struct graph *g, int all, char *state, char *latch, char *header);

struct loops {
    struct graph graph;       /* owned; without the predecessors */
    struct loop_block *block; /* owned; in the function's order */
};

void loops_of(struct loops *l, LLVMValueRef function);
int loops_contain(const struct loops *l, LLVMBasicBlockRef block);

/* 1 if every block leads on to a return of the function. */
int loops_all_return(const struct loops *l);
void loops_free(struct loops *l);

/* How many loops of the function lie within one another; LIMIT if they are as many or more. 0 if it has fewer blocks
 * than LIMIT. */
unsigned loops_depth(LLVMValueRef function, unsigned limit);

int loops_in(LLVMValueRef function); /* 1 if it has one; it may be a declaration */

#endif
