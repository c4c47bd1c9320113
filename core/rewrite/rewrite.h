/* rewrite.h - calls become statepoints.
 *
 *   rewrite.c               the list of steps around LLVM's rewrite-statepoints-for-gc
 *   call_forms.c            calls in a form that the rewrite takes
 *   verify.c                LLVM's verifiers afterwards, and what they found
 *   int_to_ref.c            refuses references computed from integers that crossed a safepoint unreported
 *   unsupported.c           refuses what LLVM compiles without an error but does not support together with
 *                           statepoints
 *   see_through.c           replaces what gives back its operand in a way that the rewrite does not look
 *                           through
 *   bases.c                 refuses references whose base the rewrite cannot find
 *   drop_bases.c            bases=none: relocations of derived pointers alone
 *   deopt_state.c           references among deoptimisation values are where the collector updates them
 *   unlisted_statepoints.c  statepoints of the module's own without a live list get one
 *   gc_live_bundles.c       "gc-live" bundles on ordinary calls survive the rewrite
 *   advice_values.c         warns of live pointers that no collector sees
 */
#ifndef CORE_REWRITE_H
#define CORE_REWRITE_H

#include "state.h"

/* ---- rewrite.c ---- */

sm_status stage_rewrite(struct compile *c);
sm_status stage_after(struct compile *c); /* the option "after" names steps of the rewrite */
json_t *steps_about(void);                /* *new*: each step's name, kind, and what it requires and breaks */

/* ---- call_forms.c ---- */

/* Inline assembly and musttail calls are marked as leaves; the arguments of others are as their callees declare them. */
sm_status call_forms_repair(struct compile *c);

/* ---- verify.c ---- */

/* Requires the rewritten module. */
sm_status rewrite_verify(struct compile *c);

/* ---- int_to_ref.c ---- */

/* No reference is computed from an integer that crossed a safepoint unreported. Requires statepoints */
sm_status int_to_ref_check(struct compile *c);

/* ---- unsupported.c ---- */

/* What does not go together with statepoints; before the optimiser, and before the rewrite */
sm_status unsupported_check_input(struct compile *c);
sm_status unsupported_check(struct compile *c);

/* ---- see_through.c ---- */

/* Before the rewrite, what gives back what it was given, in a way that the rewrite does not look through, is
 * replaced; of what is left, 1 if it may be a derived pointer */
sm_status see_through(struct compile *c);

/* ---- bases.c ---- */

/* Nor a pointer whose base the rewrite cannot find; accesses of a stack slot as an object cast it again */
sm_status bases_repair(struct compile *c);
sm_status bases_check(struct compile *c);
sm_status bases_check_input(struct compile *c); /* those that the module's own statepoints and barriers name */

/* ---- drop_bases.c ---- */

/* By option, relocations are of derived pointers alone. Requires statepoints */
sm_status bases_drop(struct compile *c);

/* ---- deopt_state.c ---- */

/* Around the rewrite, derived pointers among deoptimisation values are hidden from it; of what was
 * recorded, all references among them are where the collector updates them. deopt_state_text: see there */
sm_status deopt_state_hide(struct compile *c);
sm_status deopt_state_show(struct compile *c);
char *deopt_state_text(struct compile *c, LLVMValueRef statepoint);
sm_status deopt_state_check(struct compile *c);

/* ---- unlisted_statepoints.c ---- */

/* Statepoints that list nothing, marked as they come, become calls before the rewrite */
sm_status statepoints_mark_unlisted(struct compile *c);
sm_status statepoints_complete(struct compile *c);

/* ---- gc_live_bundles.c ---- */

/* Around the rewrite, which forgets the lists of ordinary calls */
sm_status regions_mark(struct compile *c);
sm_status regions_take(struct compile *c);

/* ---- advice_values.c ---- */

/* Warns of live pointers that no collector sees, and of pointers into objects that another
 * function takes for objects. Requires polls */
sm_status advise_spaces(struct compile *c);
sm_status advise_derived(struct compile *c);

#endif
