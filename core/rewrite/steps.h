/* steps.h - the steps of rewrite.c. Their contracts are in its list. */
#ifndef CORE_STEPS_H
#define CORE_STEPS_H

#include "state.h"

/* Inline assembly and musttail calls are marked as leaves; the arguments of others are as their callees declare them. */
sm_status call_forms_repair(struct compile *c);

/* Requires the rewritten module. */
sm_status rewrite_verify(struct compile *c);

/* No reference is computed from an integer that crossed a safepoint unreported. Requires statepoints */
sm_status int_to_ref_check(struct compile *c);
sm_status unsupported_check(struct compile *c);
sm_status deopt_check(struct compile *c); /* deoptimizations are what their blocks return; requires polls */

/* Before the rewrite, what gives back what it was given, in a way that the rewrite does not look through, is
 * replaced; of what is left, 1 if it may be a derived pointer */
sm_status see_through(struct compile *c);

/* Nor a pointer whose base the rewrite cannot find; accesses of a stack slot as an object cast it again */
sm_status bases_repair(struct compile *c);
sm_status bases_check(struct compile *c);

/* Before the rewrite, addresses in objects that are used behind safepoints are computed where they are used */
sm_status addresses_repeat(struct compile *c);

/* By option, relocations are of derived pointers alone. Requires statepoints */
sm_status bases_drop(struct compile *c);

/* Around the rewrite, derived pointers among deoptimisation values are hidden from it; of what was
 * recorded, all references among them are where the collector updates them. deopt_state_text: see there */
sm_status deopt_state_hide(struct compile *c);
sm_status deopt_state_show(struct compile *c);
sm_status statepoints_complete(struct compile *c);

/* Around the rewrite, which forgets the lists of ordinary calls */
sm_status regions_mark(struct compile *c);
sm_status regions_take(struct compile *c);

/* Warns of live pointers that no collector sees, and of pointers into objects that another
 * function takes for objects. Requires polls */
sm_status advise_spaces(struct compile *c);
sm_status advise_derived(struct compile *c);

/* Before the optimiser: what does not go together with statepoints; bases that the module's own statepoints and barriers
 * name; and statepoints that list nothing are marked, to become calls before the rewrite. */
sm_status unsupported_check_input(struct compile *c);
sm_status bases_check_input(struct compile *c);
sm_status statepoints_mark_unlisted(struct compile *c);

#endif
