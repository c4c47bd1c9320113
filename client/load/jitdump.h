/* jitdump.h - loaded code as perf reads it (linux/tools/perf/Documentation/jitdump-specification.txt). */
#ifndef JITDUMP_H
#define JITDUMP_H

#include "object.h"

/* Appends an object's functions, with their code and how their frames are unwound, to the process's jit-PID.dump. What
 * cannot be written is left out. */
void jitdump_write(const sm_object *o);

#endif
