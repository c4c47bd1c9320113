/* manifest.h - GET /v1/manifest: which keys were used. */
#ifndef SMD_MANIFEST_H
#define SMD_MANIFEST_H

#include "request.h"

int manifest_get(struct request *r);

#endif
