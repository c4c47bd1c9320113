/* reads.h - the reads that wait for the disk, in fair shares of its time (queue.h), and how long they may.
 *
 * A disk that does not answer, as that of a file server that is gone, keeps the disk's thread for good. Whoever waits
 * for it would wait as well; so a thread of its own watches the reads, and ends those that have waited for READ_MS, as
 * late. While the oldest could not be served, no more are let in.
 */
#ifndef SMD_READS_H
#define SMD_READS_H

#include "metrics.h"
#include "queue.h"
#include "result.h"

#include <pthread.h>
#include <sys/queue.h>

enum { READ_MS = 2000 };

/* A read that waits; it lies in the struct of the caller that waits for it. */
struct disk_read {
    /* On the disk's thread, or on that which watches it, once. RESULT is *borrowed*; NULL: there is no such entry, or
     * none that is whole, or it is not known (is_late). */
    void (*done)(struct disk_read *read, struct result *result);
    struct sm_key key;
    uint64_t since_ns; /* since when it has waited */
    uint64_t client;   /* for whom it is counted, and whose share of the time it takes */
    sm_status refused; /* not SM_OK: there may be an entry, and there is no room for it in memory */
    int is_late;       /* boolean: the disk did not answer in time */
    int wants_form;    /* boolean: the result's bytes are the JSON form that asks for this compile, not an artifact */
    struct queue_item item; /* reads.c's own, as what follows */
    TAILQ_ENTRY(disk_read) next;
};

struct reads {
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t changed;
    struct queue waiting;
    TAILQ_HEAD(, disk_read) by_age; /* the same, the oldest first */
    struct disk_read *running;      /* what the disk's thread is at; NULL once it has been given up */
    struct queue_item taken;        /* its item, which may be gone before it */
    uint64_t taken_ns;
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

void reads_free(struct reads *q); /* after that, when the disk's thread has ended, too */

#endif
