/* interval.h - poll_interval: of all loops of a function together at most so many iterations run between polls.
 *
 * Each invocation counts the iterations that it has begun since it last polled, of whatever loops, however short.
 * Where one more would pass the interval it polls, and counts anew. So that the bound holds over calls, an
 * invocation that has counted polls before it returns, and one without a poll at its entry does so before its
 * first iteration. */
#ifndef CORE_INTERVAL_H
#define CORE_INTERVAL_H

#include "state.h"

/* How many iterations; 0 if LLVM places the function's backedge polls, or nobody does. After stage_strategy. */
unsigned interval_of(const struct compile *c, LLVMValueRef function);

/* The attribute's value is in order, if it is there. */
sm_status interval_check(struct compile *c, LLVMValueRef function);

/* Before the optimiser: an iteration stays one, neither unrolled nor vectorised nor turned into a part of a memset. */
sm_status interval_keep(struct compile *c);

/* 1 if iterations are counted in it, though it may have no loop. Before interval_place. */
int interval_counts(LLVMValueRef function);

/* Places the polls of all functions with an interval, whose calls then carry their reasons. Requires
 * gc.safepoint_poll, and no polls yet; nothing to do if no function has an interval. */
sm_status interval_place(struct compile *c);

#endif
