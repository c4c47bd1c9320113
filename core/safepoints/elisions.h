/* elisions.h - backedges that LLVM's placement left without a poll, and why.
 *
 * LLVM does not say which, but it has two reasons only (llvm/lib/Transforms/Scalar/PlaceSafepoints.cpp): every turn of the
 * loop makes a call, which is a safepoint itself; or scalar evolution shows that the turns can be counted in
 * counted_loop_bits. The first can be seen in the function, so what is left is the second.
 */
#ifndef CORE_ELISIONS_H
#define CORE_ELISIONS_H

#include "state.h"

struct elisions;

/* Looks at the backedges of all functions that are to have polls there; before the placement. *new*, NULL if memory is
 * out or no remarks are asked for. */
struct elisions *elisions_before(const struct compile *c);

/* Adds a remark for each backedge that has no poll now. Frees E; NULL is fine. */
void elisions_after(struct compile *c, struct elisions *e);

#endif
