/* artifacts.h - GET /v1/artifacts/KEY, GET /v1/modules/KEY and POST /v1/artifacts/find-missing: what the cache has, by
 * key. */
#ifndef SMD_ARTIFACTS_H
#define SMD_ARTIFACTS_H

#include "request.h"

sm_status artifacts_begin(struct request *r);
int artifacts_get(struct request *r);
void artifacts_answer(struct request *r);
void artifacts_drop(struct request *r);
/* The form to post to have what has this key compiled again; dropped by artifacts_drop. */
sm_status modules_begin(struct request *r);
int modules_get(struct request *r);
void modules_answer(struct request *r);

int artifacts_find_missing(struct request *r);
void artifacts_drop_missing(struct request *r);

#endif
