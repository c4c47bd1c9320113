/* sandbox.h - the worker's sandbox, behind two functions and a question. */
#ifndef CORE_SANDBOX_H
#define CORE_SANDBOX_H

#include "core.h"

/* Enters all layers. Fails closed: on anything but SM_OK the process must end; the log says which layer it was. */
sm_status sandbox_enter(const struct limits *limits);

/* Moves the CPU limit on; works inside and outside the sandbox. */
void sandbox_begin_job(const struct limits *limits);

/* 1 if this kernel has Landlock. */
int sandbox_has_landlock(void);

#endif
