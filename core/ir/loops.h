/* loops.h - which blocks of a function lie in a loop, that is, can be reached from themselves. */
#ifndef CORE_LOOPS_H
#define CORE_LOOPS_H

#include "set.h"
#include "state.h"

struct loops {
    struct loop_block *block; /* owned; in the function's order */
    size_t blocks;
    struct set numbers; /* owned: the same blocks, to find the number of one */
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
