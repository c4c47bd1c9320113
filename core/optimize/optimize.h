/* optimize.h - LLVM's optimiser, and what must stay as it is meanwhile.
 *
 *   optimize.c         the optimiser at the level asked for, and what is protected from it meanwhile
 *   optimizing.h       what optimize.c does around the optimiser
 *   deopt_returns.c    deoptimizations keep their returns; those that return become calls
 *   keep_copies.c      copies of references within the heap stay copies of bytes
 *   integer_aliases.c  references that live on as integers, or in other address spaces, across a safepoint
 *   aliases.h          what a cast out of the references has become, for the three files of them
 *   alias_places.c     places in memory that such values are written to, and what reads them there
 *   alias_repair.c     casts that the optimiser has put together are taken apart again
 *   inline_listed.c    functions with such lists that are to be inlined always
 *   live_lists.c       "gc-live" lists of the module's own statepoints stay complete
 *   promote.c          stack slots with references become values; what remains is refused
 *   passes_shown.c     what each pass of the optimiser changed
 *   guarded_loads.c    a reference is loaded only behind the test that the module puts before it
 *   own_allocations.c  inline allocation: the next object is no part of the one before it
 */
#ifndef CORE_OPTIMIZE_H
#define CORE_OPTIMIZE_H

#include "ir.h"

/* ---- optimize.c ---- */

sm_status stage_optimize(struct compile *c);

/* ---- deopt_returns.c ---- */

/* Adds to the set what deoptimizations that return will call. */
void deopt_symbols(const struct compile *c, struct set *symbols);

/* ---- integer_aliases.c ---- */

/* What a reference was cast to is not used after a safepoint. Requires statepoints */
sm_status aliases_check(struct compile *c);
sm_status aliases_repair(struct compile *c);

/* ---- live_lists.c ---- */

int lists_alone(LLVMValueRef function); /* 1 if a statepoint of it relocates nothing of what it lists */
sm_status lists_check(struct compile *c);
sm_status lists_record(struct compile *c);

/* ---- promote.c ---- */

/* No reference is in a stack slot across a safepoint; nor, before the optimiser, as bytes copied through
 * one */
sm_status slots_check(struct compile *c);

/* ---- own_allocations.c ---- */

sm_status bumps_unmark(struct compile *c);

/* ---- passes_shown.c ---- */

int passes_were_shown(void); /* 1 if this process shows them in all later jobs, and should do none */

#endif
