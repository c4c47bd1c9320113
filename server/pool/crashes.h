/* crashes.h - keeps crashes of the compiler as files, for people who look into them.
 *
 * A thread of its own writes them, so that the pool's thread never waits for a disk.
 */
#ifndef SMD_CRASHES_H
#define SMD_CRASHES_H

#include "job.h"

#define CRASHES_PATIENCE_S 3                  /* seconds that a daemon that stops gives the disk */
#define CRASHES_BYTES_MAX  ((size_t)64 << 20) /* of inputs that wait to be written, unless it is a single one */

struct crashes;

/* For the folder DIR, which is borrowed. *new*; NULL when out of memory or without a thread. */
struct crashes *crashes_start(const char *dir);

/* Queues input, options and log of a crash to be written as three files named by the key. At most MAX crashes stay in
 * the folder, the oldest go first. JOB's input, of which there has to be one, is shared until it is written. Failures are
 * logged and otherwise ignored. */
void crashes_keep(struct crashes *c, const struct job *job, const char *log, int max);

/* Writes what still waits, and frees everything; NULL is fine. 0: the disk has not taken it in these seconds, and nothing
 * is freed. */
int crashes_stop(struct crashes *c, int patience_s);

#endif
