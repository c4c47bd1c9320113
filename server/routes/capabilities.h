/* capabilities.h - GET /v1/capabilities: what this server can do. */
#ifndef SMD_CAPABILITIES_H
#define SMD_CAPABILITIES_H

#include "request.h"

/* Builds the text once, at start: smd->capabilities, and smd->compiler from what the worker program said. 0 on
 * failure. */
int capabilities_build(struct smd *smd);

/* Reads the profiles that the settings name, and puts them in force: they are in the text and in every key. 0, and WHY, if
 * one is wrong: nothing changes then. */
int capabilities_reload(struct smd *smd, char *why, size_t why_size);

int capabilities_get(struct request *r);

#endif
