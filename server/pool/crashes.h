/* crashes.h - crashes of the compiler, kept as files for whoever looks into them. */
#ifndef SMD_CRASHES_H
#define SMD_CRASHES_H

#include "job.h"

/* Keeps input, options and log of a crash as three files in DIR, named by the key; at most MAX crashes stay there,
 * the oldest go first. Failures are logged and otherwise ignored. Called without the lock. */
void crash_keep(const char *dir, int max, const struct job *job, const char *log);

#endif
