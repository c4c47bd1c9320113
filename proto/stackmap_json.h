/* stackmap_json.h - a decoded stackmap as the JSON of stackmap.schema.json. */
#ifndef SM_STACKMAP_JSON_H
#define SM_STACKMAP_JSON_H

#include "stackmap.h"

/* Appends the JSON object to OUT, one function at a time, so that memory stays near the text's own size. */
sm_status sm_stackmap_to_json(const sm_stackmap *m, sm_buf *out);

#endif
