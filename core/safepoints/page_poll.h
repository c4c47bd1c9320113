/* page_poll.h - page polls (pagepoll.h of proto) of a compile. */
#ifndef CORE_PAGE_H
#define CORE_PAGE_H

#include "pagepoll.h"
#include "state.h"

sm_page_shape page_shape(const struct compile *c);

/* Rewrites the object, whose records still have numbers: gives new bytes, *new*. SM_INTERNAL, with a diagnostic. */
sm_status page_write(struct compile *c, const struct emitted *e, unsigned char **bytes, size_t *len);

#endif
