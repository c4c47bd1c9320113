/* stackmap_json.h - a decoded stackmap as the JSON of stackmap.schema.json. */
#ifndef SM_STACKMAP_JSON_H
#define SM_STACKMAP_JSON_H

#include "stackmap.h"

/* Appends the JSON object to OUT. Integers are within int64_t, which is as far as JSON readers in C go: an id or an
 * address from 2^63 on is the negative number of the same 64 bits. OUT's status, SM_INVALID_STACKMAP if a record of
 * kind statepoint has not its shape, SM_NOMEM; OUT then holds a part. */
sm_status sm_stackmap_to_json(const sm_stackmap *m, sm_buf *out);

#endif
