/* slot_life.h - where what is in a stack slot has to be kept up by the collector. */
#ifndef CORE_SLOT_LIFE_H
#define CORE_SLOT_LIFE_H

#include "body.h"
#include "slots.h"

struct slot_life {
    struct set safepoints; /* owned: those that have to report it */
    struct set begins;     /* owned: instructions behind which it has to be null, as it begins to live unwritten */
};

/* Finds LIFE, which begins as {0}; BODY is of the slot's function. The caller frees both sets. */
void slot_find_life(const struct compile *c, struct body *body, struct slot *slot, struct slot_life *life);

#endif
