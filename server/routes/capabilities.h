/* capabilities.h - GET /v1/capabilities: what this server can do. */
#ifndef SMD_CAPABILITIES_H
#define SMD_CAPABILITIES_H

#include "error.h"
#include "request.h"

/* Takes what the worker program said apart, once, at start: smd->about, key_context, compiler, layers, info. 0 on
 * failure. capabilities_reload makes the text of it. */
int capabilities_build(struct smd *smd);

/* Reads the profiles that the settings name, and puts them in force: they are in the text and in every key. If
 * one is wrong, nothing changes. */
sm_status capabilities_reload(struct smd *smd, struct error *err);

int capabilities_get(struct request *r);

#endif
