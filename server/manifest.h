/* manifest.h - GET /v1/manifest: which keys were used; GET /v1/modules/KEY: what to post to have one compiled again. */
#ifndef SMD_MANIFEST_H
#define SMD_MANIFEST_H

#include "http.h"

int manifest_get(struct request *r);
sm_status modules_begin(struct request *r);
int modules_get(struct request *r);
void modules_answer(struct request *r);
void modules_drop(struct request *r);

#endif
