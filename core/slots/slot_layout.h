/* slot_layout.h - what is in a stack slot: references where its layout has them, at all times. */
#ifndef CORE_CONTENTS_H
#define CORE_CONTENTS_H

#include "reference_layout.h"
#include "slots.h"
#include "state.h"

/* Fills LAYOUT (empty before) with where the slot's references are: by its type, or, where that has none, by what is
 * stored and loaded. Fails, with a diagnostic, where something else is written over one, or something that is no
 * object's address. Stores of undefined values become stores of null. */
sm_status contents_check(struct compile *c, LLVMValueRef f, struct slot *slot, struct layout *layout);

#endif
