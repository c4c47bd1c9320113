/* tagged_slots.h - stack slots and boxes that hold tagged references: what tags.c asks of other files. */
#ifndef CORE_TAGSLOTS_H
#define CORE_TAGSLOTS_H

#include "set.h"
#include "state.h"

/* Refuses a slot that holds one of TAGGED, or becomes one of NEEDED, across a safepoint, and marks declared words as
 * ones of a tagged reference. */
sm_status tag_slots_check(struct compile *c, LLVMValueRef f, const struct set *tagged, const struct set *needed);

/* nan_boxes.c: doubles that are integers as well, and alive across a safepoint, become integers. */
sm_status boxed_to_words(struct compile *c, LLVMValueRef f);

#endif
