/* graph.h - the blocks of a function by number, and their edges in both directions. */
#ifndef CORE_GRAPH_H
#define CORE_GRAPH_H

#include <llvm-c/Core.h>
#include <stddef.h>

struct graph {
    LLVMBasicBlockRef *block; /* owned; sorted by address */
    size_t blocks;
    size_t entry;
    size_t
        *first_before; /* owned: block i's predecessors are before[first_before[i]] to before[first_before[i + 1]] */
    size_t *before;    /* owned */
};

/* 0 if memory is out; graph_free is fine all the same. */
int graph_make(struct graph *g, LLVMValueRef function);
void graph_free(struct graph *g);
size_t graph_number(const struct graph *g, LLVMBasicBlockRef block);

#endif
