/* safepoints.h - where a thread can stop: polls, and which calls are no safepoints.
 *
 *   place.c       polls: at entries and backedges by LLVM's pass, at returns and calls by smd
 *   placing.h     what place.c asks of other files
 *   poll.c        what a safepoint poll is: the module's gc.safepoint_poll, or a body that smd writes; how early it stands
 *   interval.c    poll_interval: a poll in a loop runs after so many iterations
 *   strips.c      counted_loop_turns: a counted loop polls after so many turns
 *   unroll.c      small loops do several turns between two polls
 *   frame_state.c polls that have the state of their frame, by marks of the module
 *   elisions.c    backedges that LLVM's placement left without a poll, and why
 *   leaf_calls.c  calls that cannot collect are no safepoints: decided over the module's call graph
 *   deopt.c       llvm.experimental.deoptimize: no poll between it and its return, and nothing after it
 *   polled.c      where a function is polled: by its own attribute, or by the option
 */
#ifndef CORE_SAFEPOINTS_H
#define CORE_SAFEPOINTS_H

#include "state.h"

#include <string.h>

/* ---- place.c ---- */

sm_status stage_place(struct compile *c);

/* ---- poll.c ---- */

#define SP_TAIL 256                      /* beside the bits SM_SP_…: before musttail calls */
sm_status poll_check(struct compile *c); /* the option fits the module */
/* gc.safepoint_poll is there, ours or the module's; with ROOTS it may write to slots of its caller */
sm_status poll_prepare(struct compile *c, int roots);
sm_status poll_finish(struct compile *c);              /* removes what was ours; SM_MISSING_POLL if it was needed */
void poll_mark(struct compile *c, const char *reason); /* calls in the poll's body carry this reason from now on */
void poll_symbols(const struct compile *c, struct set *symbols); /* adds those of the module that polls refer to */

/* ---- leaf_calls.c ---- */

sm_status stage_leaf_check(struct compile *c);

/* 1 if a call of F runs the body in this module, whatever that is linked with: no other definition may replace
 * it. */
static inline int is_exact(const struct compile *c, LLVMValueRef f) {
    static const char flag[] = "SemanticInterposition";
    LLVMLinkage linkage = LLVMGetLinkage(f);
    if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
        return 1;
    return linkage == LLVMExternalLinkage && !LLVMGetModuleFlag(c->module, flag, sizeof flag - 1);
}

/* ---- frame_state.c ---- */

sm_status frame_states_keep(struct compile *c); /* marks are what they have to be, and stay where they are */

/* ---- polled.c ---- */

/* 1 if polls are loads from a page, whose faults stop: page:SYMBOL and tls:SYMBOL:OFFSET. */
static inline int polls_fault(const struct compile *c) {
    return strncmp(c->options->poll, "page:", 5) == 0 || strncmp(c->options->poll, "tls:", 4) == 0;
}

int function_polls(const struct compile *c, LLVMValueRef function); /* bits SM_SP_…; after stage_strategy */

/* Where F is polled, SM_SP_…; fails if its attribute has words that the option has not. */
sm_status polls_of(struct compile *c, LLVMValueRef f, unsigned *bits);
int function_root_polls(const struct compile *c, LLVMValueRef function);

#endif
