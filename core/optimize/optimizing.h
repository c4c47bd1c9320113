/* optimizing.h - what optimize.c does around the optimiser, in files of their own. */
#ifndef CORE_OPTIMIZING_H
#define CORE_OPTIMIZING_H

#include "ir.h"

/* Before the optimiser, copies of references within the heap are kept from becoming integers */
void copies_keep(struct compile *c);
int aliases_are_sound(struct compile *c); /* before the optimiser; then aliases_repair undoes what that did to them */

/* Around the optimiser, which drops nothing from the module's own live lists; the rule for statepoints that
 * relocate nothing; then all that is listed will be recorded */
sm_status lists_keep(struct compile *c);
void lists_release(struct compile *c);
int lists_slots(LLVMValueRef function); /* 1 if it lists what the optimiser would drop, or has scopes */

/* Before the optimiser: functions that lists_slots, and are to be inlined always, are */
sm_status listed_inline(struct compile *c);

/* Around the optimiser, which loads no reference before the test that the load stands behind */
sm_status guards_keep(struct compile *c);
void guards_release(struct compile *c);

/* Before the optimiser, and after the rewrite: objects that the module allocates itself are no part of others */
sm_status bumps_mark(struct compile *c);

/* Deoptimizations keep their returns; those that return become calls, after the optimiser. */
void deopt_keep(struct compile *c);
void deopt_release(struct compile *c);
sm_status deopt_return(struct compile *c);

/* After the optimiser: stack slots with references become values (promote.c). */
sm_status slots_promote(struct compile *c);

/* passes_shown.c: from here on, if the option after lists "passes"; up to here, and the next stage that is shown has them */
void passes_show(struct compile *c);
void passes_take(struct compile *c);

#endif
