/* progress.h - GET /v1/progress/KEY: how far a compile is that somebody waits for. */
#ifndef SMD_PROGRESS_H
#define SMD_PROGRESS_H

#include "request.h"

int progress_get(struct request *r);

#endif
