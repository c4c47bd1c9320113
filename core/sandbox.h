/* sandbox.h - the worker's sandbox, behind a few functions. */
#ifndef CORE_SANDBOX_H
#define CORE_SANDBOX_H

#include "core.h"

/* Enters all layers. Fails closed: on anything but SM_OK the process must end; the log says which layer it was. */
sm_status sandbox_enter(const struct limits *limits);

/* For a process without a sandbox: from now on it opens no file, as a module's assembly may ask for one. Only the soft
 * limit, so that a sanitizer's report may. */
void sandbox_close_files(void);

/* Moves the CPU limit on; works inside and outside the sandbox. */
void sandbox_begin_job(const struct limits *limits);

/* 1 if this kernel has Landlock. */
int sandbox_has_landlock(void);

#endif
