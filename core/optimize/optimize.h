/* optimize.h - LLVM's optimiser, and what must stay as it is meanwhile.
 *
 *   optimize.c         the optimiser at the level asked for, and what is protected from it meanwhile
 *   keep_copies.c      copies of references within the heap stay copies of bytes
 *   integer_aliases.c  references that live on as integers, or in other address spaces, across a safepoint
 *   aliases.h          what a cast out of the references has become, for both files of them
 *   alias_repair.c     casts that the optimiser has put together are taken apart again
 *   inline_listed.c    functions with such lists that are to be inlined always
 *   live_lists.c       "gc-live" lists of the module's own statepoints stay complete
 *   promote.c          stack slots with references become values; what remains is refused
 *   guarded_loads.c    a reference is loaded only behind the test that the module puts before it
 *   own_allocations.c  inline allocation: the next object is no part of the one before it
 */
#ifndef CORE_OPTIMIZE_H
#define CORE_OPTIMIZE_H

#include "ir.h"
#include "state.h"

/* ---- optimize.c ---- */

sm_status stage_optimize(struct compile *c);

/* ---- keep_copies.c ---- */

/* Before the optimiser, copies of references within the heap are kept from becoming integers */
void copies_keep(struct compile *c);

/* ---- integer_aliases.c ---- */

/* What a reference was cast to is not used after a safepoint. Requires statepoints */
sm_status aliases_check(struct compile *c);
int aliases_are_sound(struct compile *c); /* before the optimiser; then aliases_repair undoes what that did to them */
sm_status aliases_repair(struct compile *c);
int is_alias_source(const struct compile *c, LLVMValueRef v);   /* 1 if V is such a cast */
sm_status aliases_visit(struct compile *c, value_check *check); /* for those that ask is_alias_source; aliases.c */

/* ---- inline_listed.c ---- */

/* Before the optimiser: functions that lists_slots, and are to be inlined always, are */
sm_status listed_inline(struct compile *c);

/* ---- live_lists.c ---- */

/* Around the optimiser, which drops nothing from the module's own live lists; the rule for statepoints that
 * relocate nothing; then all that is listed will be recorded */
sm_status lists_keep(struct compile *c);
void lists_release(struct compile *c);
int lists_slots(LLVMValueRef function); /* 1 if it lists what the optimiser would drop, or has scopes */
int lists_alone(LLVMValueRef function); /* 1 if a statepoint of it relocates nothing of what it lists */
sm_status lists_check(struct compile *c);
sm_status lists_record(struct compile *c);

/* ---- promote.c ---- */

sm_status stage_promote(struct compile *c);

/* No reference is in a stack slot across a safepoint; nor, before the optimiser, as bytes copied through
 * one */
sm_status slots_check(struct compile *c);
sm_status slots_check_copies(struct compile *c);

/* ---- guarded_loads.c ---- */

/* Around the optimiser, which loads no reference before the test that the load stands behind */
sm_status guards_keep(struct compile *c);
void guards_release(struct compile *c);

/* ---- own_allocations.c ---- */

/* Before the optimiser, and after the rewrite: objects that the module allocates itself are no part of others */
sm_status bumps_mark(struct compile *c);
sm_status bumps_unmark(struct compile *c);

#endif
