/* respond.h - a filled reply goes out: as a response of its own, or as one that is shared; and into the log. */
#ifndef SMD_RESPOND_H
#define SMD_RESPOND_H

#include "request.h"

/* Bytes of a rendered reply, at most. */
#define TEXT_MAX ((size_t)1 << 31)

/* Queues the request's reply. 0 if out of memory: the connection is to be closed. */
int respond(struct request *r);

#endif
