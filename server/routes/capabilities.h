/* capabilities.h - GET /v1/capabilities: what this server can do. */
#ifndef SMD_CAPABILITIES_H
#define SMD_CAPABILITIES_H

#include "error.h"
#include "request.h"

/* Builds the text once, at start: smd->capabilities, and smd->compiler from what the worker program said. 0 on
 * failure. */
int capabilities_build(struct smd *smd);

/* Reads the profiles that the settings name, and puts them in force: they are in the text and in every key. If
 * one is wrong, nothing changes. */
sm_status capabilities_reload(struct smd *smd, struct error *err);

int capabilities_get(struct request *r);

#endif
