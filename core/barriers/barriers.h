/* barriers.h - read and write barriers, and what is done around native calls.
 *
 *   barriers.c          llvm.gcread and llvm.gcwrite -> barriers
 *   barrier_kinds.c     the built-in barriers of the option barrier
 *   barrier_auto.c      barriers=auto: smd inserts the barriers
 *   barrier_facts.c     a forward data-flow: which barriers may be left out
 *   barrier_rules.c     what a barrier permits to be left out
 *   late_inline.c       functions that smd calls of its own accord are inlined when polls are placed
 *   transitions.c       "gc-transition" bundles: what is done around calls of native code
 *   transition_roots.c  references that native code may see move, between gc.transition_enter and
 *                       gc.transition_leave
 */
#ifndef CORE_BARRIERS_H
#define CORE_BARRIERS_H

#include "barrier.h"
#include "state.h"

/* SM_INVALID_OPTION, with a diagnostic. */
sm_status barriers_read(struct compile *c, struct sm_barriers *k);

/* The parts of a built-in barrier at the builder's place; *FAILURE, and a diagnostic, where the module has something
 * else of a name. LIKE has the place in the source. */
void card_build(struct compile *c, const struct sm_barriers *k, LLVMBuilderRef b, LLVMValueRef object,
                LLVMValueRef like, sm_status *failure);
void satb_build(struct compile *c, const struct sm_barriers *k, LLVMBuilderRef b, LLVMValueRef slot, LLVMTypeRef type,
                LLVMValueRef like, sm_status *failure);
void satb_build_old(struct compile *c, const struct sm_barriers *k, LLVMBuilderRef b, LLVMValueRef old,
                    LLVMValueRef like, sm_status *failure);
LLVMValueRef load_build(struct compile *c, const struct sm_barriers *k, LLVMBuilderRef b, LLVMValueRef value,
                        LLVMValueRef slot, LLVMValueRef like, sm_status *failure);

/* The module's own barrier: it makes the store, or the load, itself. */
void write_hook_build(struct compile *c, LLVMBuilderRef b, LLVMValueRef value, LLVMValueRef object, LLVMValueRef slot,
                      LLVMValueRef like, sm_status *failure);
LLVMValueRef read_hook_build(struct compile *c, LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef object,
                             LLVMValueRef slot, LLVMValueRef like, sm_status *failure);

/* barrier_auto.c: barriers=auto. Before the optimiser, which keeps copies and clears as they are; and after the
 * polls. */
void barriers_prepare(struct compile *c);
sm_status barriers_insert(struct compile *c, const struct sm_barriers *k);

/* ---- barriers.c ---- */

sm_status stage_hooks(struct compile *c);
sm_status stage_barriers(struct compile *c);

/* ---- transitions.c ---- */

sm_status stage_transitions(struct compile *c);

/* Gc.transition_enter and gc.transition_leave are functions */
sm_status transitions_check(struct compile *c);

#endif
