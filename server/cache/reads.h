/* reads.h - the reads that wait for the disk, and how long they may.
 *
 * A disk that does not answer, as that of a file server that is gone, keeps the disk's thread for good. Whoever waits
 * for it would wait as well; so a thread of its own watches the reads, and ends those that have waited for READ_MS as if
 * there were no such entry. While the oldest could not be served, no more are let in.
 */
#ifndef SMD_READS_H
#define SMD_READS_H

#include "disk.h"

#include <pthread.h>

enum { READ_MS = 2000 };

struct reads {
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t changed;
    STAILQ_HEAD(, disk_read) waiting;
    struct disk_read *running; /* what the disk's thread is at; NULL once it has been given up */
    struct metrics *metrics;
    int is_late, stopping; /* is_late: the disk's thread has done nothing since a read was given up */
    pthread_t watch;
};

/* 0 if there is no thread for it. */
int reads_start(struct reads *q, struct metrics *m);

/* From any thread. 0: it will not be read; otherwise its done() will be called. */
int reads_add(struct reads *q, struct disk_read *read);

/* The disk's thread: the next read, whose end reads_finish tells; NULL if none waits. *COPY is what it may use, as the
 * read itself may be ended, and freed, meanwhile. */
struct disk_read *reads_take(struct reads *q, struct disk_read *copy);

/* The disk's thread: COPY, of what reads_take gave, has been served. Calls done(), unless it has been given up. RESULT is
 * borrowed. */
void reads_finish(struct reads *q, struct disk_read *read, const struct disk_read *copy, struct result *result);

int reads_wait(struct reads *q); /* boolean: some wait */

/* Ends those that are left, if any, as given up; none is let in afterwards. */
void reads_stop(struct reads *q);

#endif
