/* body.h - a function's blocks, edges, safepoints and instructions by number: gathered once, and asked for each of its
 * slots. */
#ifndef CORE_BODY_H
#define CORE_BODY_H

#include "cfg.h"
#include "set.h"
#include "state.h"

#include <assert.h>

/* Begins as {0}; body_free ends it. It holds as long as no block and no safepoint of the function comes or goes.
 * Instructions that are new have no number. */
struct body {
    LLVMValueRef function; /* NULL: nothing is gathered yet */
    struct graph graph;
    /* block i's safepoints, in its order, are safepoint[first_safepoint[i]] to safepoint[first_safepoint[i + 1]] */
    size_t *first_safepoint; /* owned */
    struct set safepoint;    /* owned */
    /* once they are numbered, block i's instructions, in its order, are instruction[first[i]] to
     * instruction[first[i + 1]] */
    size_t *first;          /* owned; NULL: they are not */
    struct set instruction; /* owned */
};

/* Gathers what F has, unless B has it already. */
void body_of(struct body *b, const struct compile *c, LLVMValueRef f);
void body_number_all(struct body *b); /* numbers the instructions, unless they are */
void body_free(struct body *b);

/* The number of an instruction that was there when they were numbered. */
static inline size_t body_number(const struct body *b, LLVMValueRef i) {
    size_t number = set_number(&b->instruction, i);
    assert(number < b->instruction.count);
    return number;
}

#endif
