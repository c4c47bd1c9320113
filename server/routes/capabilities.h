/* capabilities.h - GET /v1/capabilities: what this server can do. */
#ifndef SMD_CAPABILITIES_H
#define SMD_CAPABILITIES_H

#include "request.h"

/* Builds the text once, at start: smd->capabilities, and smd->compiler from what the worker program said. 0 on
 * failure. */
int capabilities_build(struct smd *smd);

int capabilities_get(struct request *r);

#endif
