/* artifacts.h - GET /v1/artifacts/KEY and POST /v1/artifacts/find-missing: what the cache has, by key. */
#ifndef SMD_ARTIFACTS_H
#define SMD_ARTIFACTS_H

#include "http.h"

sm_status artifacts_begin(struct request *r);
int artifacts_get(struct request *r);
void artifacts_answer(struct request *r);
void artifacts_drop(struct request *r);
int artifacts_find_missing(struct request *r);

#endif
