/* page.h - page polls: a load from a page that the runtime takes away when it wants the threads to stop.
 *
 * Where such a poll is, LLVM emits a statepoint with room to patch: nops before the return address of its record, at
 * which every live pointer is where the record says. A load that follows a call could not have that: nothing keeps what
 * LLVM schedules between the two apart. Once the object is there, the load is written over the nops, with relocations
 * against the page's symbol: through the global offset table where code is position-independent, or large.
 */
#ifndef CORE_PAGE_H
#define CORE_PAGE_H

#include "core.h"

/* The bytes that such a poll takes, and how many before the record's return address its load faults. */
struct page_shape {
    unsigned bytes, fault;
};
struct page_shape page_shape(const struct compile *c);

/* Rewrites the object, whose records still have numbers: gives new bytes, *new*. SM_NOMEM or SM_INTERNAL, with a
 * diagnostic. */
sm_status page_write(struct compile *c, const struct emitted *e, unsigned char **bytes, size_t *len);

#endif
