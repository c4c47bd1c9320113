/* strips.h - counted_loop_turns: a loop whose turns can be counted polls after so many of them.
 *
 * Such a loop becomes two. The inner one is what it was, vectors and all, but ends after so many turns at the latest;
 * the outer one polls between two runs of it. So nothing is done for polls in the inner loop.
 *
 *     header: ... latch: br (x < n), header, exit
 *     strip: end = x + min(n - x, turns)   header: ... latch: br (x != end), header, turn
 *     turn: br (x < n), poll, exit         poll: call gc.safepoint_poll, br strip
 *
 * Loops are those that the optimiser left: one without others in it, with one backedge, on whose branch a value that
 * goes up or down by a power of two each turn is compared with one that stays. */
#ifndef CORE_STRIPS_H
#define CORE_STRIPS_H

#include "state.h"

/* Builds a call of gc.safepoint_poll, to be inlined, before an instruction. */
typedef LLVMValueRef poll_insertion(struct compile *c, LLVMBuilderRef b, LLVMValueRef before);

/* Makes strips in all functions that LLVM's pass polls at backedges; gives how many. Requires gc.safepoint_poll. Their
 * polls are inlined after LLVM's pass, which leaves loops with calls alone. */
size_t strips_place(struct compile *c, poll_insertion *insert_poll);

#endif
