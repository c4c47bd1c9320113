/* crashes.h - crashes of the compiler, kept as files for whoever looks into them.
 *
 * A thread of its own writes them: the pool's never waits for a disk.
 */
#ifndef SMD_CRASHES_H
#define SMD_CRASHES_H

#include "job.h"

#define CRASHES_BYTES_MAX ((size_t)64 << 20) /* of inputs that wait to be written, unless it is a single one */

struct crashes;

/* For the folder DIR, which is borrowed. *new*; NULL when out of memory or without a thread. */
struct crashes *crashes_start(const char *dir);

/* Has input, options and log of a crash kept as three files, named by the key; at most MAX crashes stay there, the oldest
 * go first. JOB's input is *taken* if they will be. Failures are logged and otherwise ignored. */
void crashes_keep(struct crashes *c, struct job *job, const char *log, int max);

/* Writes what still waits, and frees everything; NULL is fine. */
void crashes_stop(struct crashes *c);

#endif
