/* rewrite.h - calls become statepoints.
 *
 *   rewrite.c               the list of steps around LLVM's rewrite-statepoints-for-gc
 *   steps.h                 what it calls in files of their own
 *   call_forms.c            calls in a form that the rewrite takes
 *   verify.c                LLVM's verifiers afterwards, and what they report
 *   int_to_ref.c            refuses references computed from integers that crossed a safepoint unreported
 *   unsupported.c           refuses what LLVM compiles without an error but does not support together with
 *                           statepoints
 *   see_through.c           replaces what gives back its operand in a way that the rewrite does not look
 *                           through
 *   addresses.c             addresses in objects are computed where they are used, behind safepoints
 *   bases.c                 refuses references whose base the rewrite cannot find
 *   drop_relocations.c      relocations that nobody needs: of arguments (elide), of bases (bases=none)
 *   deopt_state.c           references among deoptimisation values are where the collector updates them
 *   unlisted_statepoints.c  statepoints of the module's own get live lists, and what they give is beside them
 *   gc_live_bundles.c       "gc-live" bundles on ordinary calls survive the rewrite
 *   advice_values.c         warns of live pointers that no collector sees
 */
#ifndef CORE_REWRITE_H
#define CORE_REWRITE_H

#include "analysis.h"
#include "state.h"

/* ---- rewrite.c ---- */

sm_status stage_check_statepoints(struct compile *c); /* the module's own, and what does not go together with any */
sm_status stage_rewrite(struct compile *c);
sm_status stage_after(struct compile *c); /* the option "after" names steps of the rewrite */
json_t *steps_about(void);                /* *new*: each step's name, kind, and what it requires and breaks */

/* ---- deopt_state.c ---- */

/* Which deoptimisation values of a statepoint are references, *new*; NULL: none. Then all of them were recorded where the
 * collector updates them */
char *deopt_state_text(struct compile *c, struct derivations *known, LLVMValueRef statepoint);
sm_status deopt_state_check(struct compile *c);

#endif
