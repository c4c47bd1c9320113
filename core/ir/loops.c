/* loops.c - see loops.h. Strongly connected components by Tarjan's algorithm (R. Tarjan, "Depth-first search and
 * linear graph algorithms", 1972), without recursion: a module may nest as deep as it likes. */
#include "loops.h"
#include "memory.h"
#include "set.h"
#include "state.h"

#include <stdlib.h>

struct loop_block {
    LLVMBasicBlockRef block;
    unsigned order, low; /* of the search; order 0: not visited */
    unsigned next_successor;
    size_t parent; /* of the search, SIZE_MAX for none */
    int on_stack, in_loop, returns;
    int removed; /* boolean: the search does as if it were not there */
};

/* The index of the block in the list; 0 if it is not there. */
static size_t loop_index_of(const struct loops *l, LLVMBasicBlockRef block) {
    size_t n = set_number(&l->numbers, block);
    return n < l->blocks ? n : 0;
}

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
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block);
        if (end && b->next_successor < LLVMGetNumSuccessors(end)) {
            size_t to = loop_index_of(l, LLVMGetSuccessor(end, b->next_successor++));
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
        b->returns |= end && LLVMGetInstructionOpcode(end) == LLVMRet;
        if (b->low == b->order)
            pop_component(l, stack, depth, i);
        if (b->parent != SIZE_MAX) {
            lower_root(&l->block[b->parent], b->low);
            l->block[b->parent].returns |= b->returns;
        }
        i = b->parent;
    }
}

/* Finds the loops of the function. */
void loops_of(struct loops *l, LLVMValueRef function) {
    size_t depth = 0, n = 0;
    unsigned order = 0;
    l->numbers = (struct set){0};
    l->blocks = LLVMCountBasicBlocks(function);
    l->block = xcalloc(l->blocks, sizeof *l->block);
    size_t *stack = xmalloc(l->blocks * sizeof *stack);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        l->block[n++].block = b;
        set_add(&l->numbers, b);
    }
    for (size_t i = 0; i < l->blocks; i++)
        if (!l->block[i].order)
            search_loop(l, i, &order, stack, &depth);
    free(stack);
}

/* 1 if the block is in a loop. */
int loops_contain(const struct loops *l, LLVMBasicBlockRef block) {
    return l->block[loop_index_of(l, block)].in_loop;
}

/* 1 if from every block a return can be reached. */
int loops_all_return(const struct loops *l) {
    for (size_t i = 0; i < l->blocks; i++)
        if (!l->block[i].returns)
            return 0;
    return 1;
}

/* Searches anew without the blocks that are removed, and removes the header of each loop found; 0 if there was none.
 * ORDER lists the blocks as the first search came to them: a loop's header before what is in it. */
static int peel_loops(struct loops *l, const size_t *order) {
    size_t *stack = xmalloc(l->blocks * sizeof *stack), depth = 0;
    unsigned visited = 0;
    int any = 0;
    for (size_t i = 0; i < l->blocks; i++) {
        struct loop_block *b = &l->block[i];
        b->order = b->low = b->next_successor = 0;
        b->in_loop = 0;
    }
    for (size_t n = 0; n < l->blocks; n++)
        if (!l->block[order[n]].order && !l->block[order[n]].removed)
            search_loop(l, order[n], &visited, stack, &depth);
    for (size_t i = 0; i < l->blocks; i++) {
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
    size_t *order = xmalloc(l.blocks * sizeof *order);
    for (size_t i = 0; i < l.blocks; i++)
        order[l.block[i].order - 1] = i;
    while (depth < limit && peel_loops(&l, order))
        depth++;
    free(order);
    loops_free(&l);
    return depth;
}

void loops_free(struct loops *l) {
    free(l->block);
    set_free(&l->numbers);
    *l = (struct loops){0};
}

int loops_in(LLVMValueRef function) {
    struct loops loops;
    if (!LLVMGetFirstBasicBlock(function))
        return 0;
    int result = 0;
    loops_of(&loops, function);
    for (size_t i = 0; i < loops.blocks && !result; i++)
        result = loops.block[i].in_loop;
    loops_free(&loops);
    return result;
}
