/* stream.h - GET and DELETE /v1/stream?startup=NAME: all that was recorded under a name (startups.h), in one answer. */
#ifndef SMD_STREAM_H
#define SMD_STREAM_H

#include "request.h"

int stream_get(struct request *r);
int stream_delete(struct request *r);

#endif
