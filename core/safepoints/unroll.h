/* unroll.h - small loops that would poll in each turn do several turns between two polls.
 *
 * LLVM unrolls a loop of few instructions where that makes each turn cheaper. A poll makes it so: unrolled, the loop has
 * one backedge, and so one poll, for several turns. Each of these still asks whether it is the last one, as before. So
 * nothing is computed before the loop, and one that runs a few turns costs no more.
 *
 * Loops are those that the optimiser left: over lists, and others whose turns are not counted; without a call, or another
 * loop in it, with one backedge, which leads back on a condition. From opt=2 on, as LLVM's own unrolling, and not for
 * size. */
#ifndef CORE_UNROLL_H
#define CORE_UNROLL_H

#include "state.h"

/* Before LLVM's pass places polls at backedges. */
sm_status unroll_polled(struct compile *c);

#endif
