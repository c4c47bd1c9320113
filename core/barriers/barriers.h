/* barriers.h - read and write barriers, and what is done around native calls.
 *
 *   barriers.c          llvm.gcread and llvm.gcwrite -> barriers
 *   barrier_kinds.c     the built-in barriers of the option barrier
 *   barrier_auto.c      barriers=auto: smd inserts the barriers
 *   barrier_facts.c     a forward data-flow: which barriers may be left out
 *   barrier_rules.c     what a barrier permits to be left out
 *   late_inline.c       functions that smd calls of its own accord are inlined when polls are placed
 *   barrier_parts.h     what the files of this room give one another
 *   transitions.c       "gc-transition" bundles: what is done around calls of native code
 *   transition_roots.c  references that native code may see move, between gc.transition_enter and
 *                       gc.transition_leave
 */
#ifndef CORE_BARRIERS_H
#define CORE_BARRIERS_H

#include "barrier.h"
#include "state.h"

/* ---- barriers.c ---- */

sm_status stage_hooks(struct compile *c);
sm_status stage_barriers(struct compile *c);

/* ---- transitions.c ---- */

sm_status stage_transitions(struct compile *c);

#endif
