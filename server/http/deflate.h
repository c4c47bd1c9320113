/* deflate.h - a reply's body, compressed for a client that accepts it. */
#ifndef SMD_DEFLATE_H
#define SMD_DEFLATE_H

#include "accept.h"
#include "reply.h"

/* What is longer is not to be compressed: the answers of others wait meanwhile. */
#define DEFLATE_MOST ((size_t)32 << 20)

/* Replaces the reply's parts by one text, compressed with CODING; its content_type is static. The parts stay as they
 * are if that would not be smaller, or if memory is short. It takes about 1 ms for each 200 KB of JSON. */
void reply_deflate(struct reply *reply, enum coding coding);

#endif
