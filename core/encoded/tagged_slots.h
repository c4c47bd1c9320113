/* tagged_slots.h - stack slots that hold tagged references. */
#ifndef CORE_TAGSLOTS_H
#define CORE_TAGSLOTS_H

#include "set.h"
#include "state.h"

/* Refuses a slot that holds one of TAGGED, or becomes one of NEEDED, across a safepoint, and marks declared words as
 * ones of a tagged reference. */
sm_status tag_slots_check(struct compile *c, LLVMValueRef f, const struct set *tagged, const struct set *needed);

#endif
