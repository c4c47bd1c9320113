/* admission.h - what waits for a second worker with the setting admission=two: a result is kept, in the cache or in the
 * memory of failures, only after a second worker has made the same bytes of the same job.
 *
 *   - Who asked has long been answered. An equal request compiles again, or joins a job that runs.
 *   - The second worker was forked after the first one's run began, has run nothing else, and ends after it. So neither
 *     the job's own module nor another can have prepared it.
 *   - It runs only where a worker would be idle, and gives way to whoever waits (pool.c).
 *   - If the two differ, nothing is kept, and no job is given to the first worker again.
 * Input, result and parts stay charged to the account of bytes (budget.h). What is over the bounds is not kept.
 * Only the pool's thread uses this.
 */
#ifndef SMD_ADMISSION_H
#define SMD_ADMISSION_H

#include "job.h"
#include "metrics.h"
#include "settings.h"

#include <sys/queue.h>
#include <sys/types.h>

/* A job that waits for its second run, or has it. */
struct confirmation {
    TAILQ_ENTRY(confirmation) link;
    struct job *job;      /* owned */
    struct result *first; /* held: what the first worker made */
    uint64_t ticket;      /* the first worker's */
    pid_t pid;            /* likewise, for the log */
    size_t bytes;         /* of input and result */
    int killed;           /* how often its worker was killed from outside */
    int is_running;       /* boolean */
};

struct admission {
    TAILQ_HEAD(confirmations, confirmation) list; /* the next is the first that does not run */
    size_t waiting, running, bytes;               /* bytes: of all */
    size_t bytes_max;
    struct metrics *metrics;
};

void admission_init(struct admission *a, const struct settings *s, struct metrics *m);
void admission_free(struct admission *a); /* gives all up */

/* JOB, which is *taken*, and FIRST (held by the caller), its result of the worker with this ticket, wait from now on; not
 * if one of the same key does, or there are too many. */
void admission_add(struct admission *a, struct job *job, struct result *first, uint64_t ticket, pid_t pid);

/* The next one; NULL if none waits. */
struct confirmation *admission_next(struct admission *a);

void admission_begin(struct admission *a, struct confirmation *c); /* it runs */
void admission_put_back(struct admission *a,
                        struct confirmation *c); /* its worker had to give way: it waits, behind all */

/* 1 if SECOND is the same as what the first worker made. *KEPT is the one of both to keep then: that whose parts for a
 * later compile both workers made, *borrowed*. */
int admission_agrees(const struct confirmation *c, struct result *second, struct result **kept);

/* It is over, for OUTCOME: METRIC_ADMITTED, METRIC_ADMISSION_DIFFERENT or METRIC_ADMISSION_DROPPED. C is freed. */
void admission_end(struct admission *a, struct confirmation *c, enum metric outcome);

#endif
