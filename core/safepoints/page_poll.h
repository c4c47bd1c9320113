/* page_poll.h - page polls (pagepoll.h of proto) of a compile. */
#ifndef CORE_PAGE_H
#define CORE_PAGE_H

#include "pagepoll.h"
#include "state.h"

/* Rewrites the object, whose records still have numbers: gives new bytes, *new*, as many. SM_INTERNAL, with a diagnostic. */
sm_status page_write(struct compile *c, const struct emitted *e, unsigned char **bytes);

#endif
