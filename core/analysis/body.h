/* body.h - a function's blocks, edges and safepoints: gathered once, and asked for each of its slots. */
#ifndef CORE_BODY_H
#define CORE_BODY_H

#include "cfg.h"
#include "state.h"

/* Begins as {0}; body_free ends it. It holds as long as no block and no safepoint of the function comes or goes. */
struct body {
    LLVMValueRef function; /* NULL: nothing is gathered yet */
    struct graph graph;
    /* block i's safepoints, in its order, are safepoint[first_safepoint[i]] to safepoint[first_safepoint[i + 1]] */
    size_t *first_safepoint; /* owned */
    struct set safepoint;    /* owned */
};

/* Gathers what F has, unless B has it already. */
void body_of(struct body *b, const struct compile *c, LLVMValueRef f);
void body_free(struct body *b);

#endif
