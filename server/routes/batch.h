/* batch.h - POST /v1/batch: many modules in one request, answered in order; one that fails fails alone. */
#ifndef SMD_BATCH_H
#define SMD_BATCH_H

#include "request.h"

sm_status batch_begin(struct request *r);
int batch_finish(struct request *r);
void batch_drop(struct request *r);

#endif
