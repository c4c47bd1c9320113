/* barrier_rules.h - which barriers may be left out, by what the barrier does. */
#ifndef CORE_BARRIER_RULES_H
#define CORE_BARRIER_RULES_H

#include "barrier.h"
#include "state.h"

/* Booleans; of several of the module's own (for whole and compressed references), what holds for each. A part of the
 * write barrier is what stands before the store, what stands after it, or the module's own. */
struct barrier_rules {
    int before, behind, own;     /* there is such a part: satb, card, gc.write_barrier */
    int reads, own_read;         /* there is a read barrier; it is the module's own */
    int fresh;                   /* own: may be left out for objects that are fresh */
    int null;                    /* own: for nulls and constants */
    int run;                     /* own: but for the first of a run of stores to one object */
    int write_stops, read_stops; /* it may be a safepoint */
};

/* SM_INVALID_OPTION, with a diagnostic, where an attribute of the module's own barrier is wrong. */
sm_status barrier_rules_find(struct compile *c, const struct sm_barriers *k, struct barrier_rules *r);

#endif
