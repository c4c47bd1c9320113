/* jobtable.h - the jobs that are waiting or running, and who waits for each: the part of the pool that all threads
 * share.
 *
 * Everything in here is covered by one lock, held for a few instructions; done() of a waiter is called without it.
 * Functions marked [pool] belong to the pool's thread alone.
 */
#ifndef SMD_JOBTABLE_H
#define SMD_JOBTABLE_H

#include "failures.h"
#include "job.h"
#include "metrics.h"
#include "settings.h"
#include "slots.h"

#include <pthread.h>

/* What a worker made of JOB, both borrowed; RESULT is NULL if it is not kept, or not yet. On the pool's thread, before
 * whoever waits for the job is answered. */
typedef void jobtable_keep(void *arg, const struct job *job, struct result *result);

struct jobtable {
    pthread_mutex_t lock;
    const struct settings *settings;
    struct metrics *metrics;
    struct budget *budget;
    struct queue queue;
    struct heap deadlines;                /* of waiters */
    struct hash flights;                  /* by key: jobs that may be joined */
    struct failures crashes, diagnostics; /* apart, so that bad modules do not drive out poisonous ones */
    jobtable_keep *keep;                  /* called with each success of a worker */
    void *keeper;
    int needs_second;             /* boolean: nothing is kept before jobtable_admit (admission.h) */
    int epoll;                    /* where the sockets of watched clients are added; borrowed */
    struct slots watched;         /* waiters whose clients are watched */
    unsigned watch_tag, tag_bits; /* stand below such a waiter's ticket in its epoll data */
    double job_us;                /* moving average of a job's time on a worker */
    int closed;                   /* boolean: nothing is taken any more */
};

void jobtable_init(struct jobtable *t, const struct settings *s, struct metrics *m, struct budget *b,
                   jobtable_keep *keep, void *keeper, int epoll, unsigned watch_tag, unsigned tag_bits);
void jobtable_free(struct jobtable *t);

/* As pool_submit. */
sm_status jobtable_submit(struct jobtable *t, struct job *job, struct waiter *w, uint64_t now_ns,
                          struct result **known);

/* As pool_cancel. *ABANDONED is set to 1 if a running job has lost its last waiter. */
int jobtable_cancel(struct jobtable *t, struct waiter *w, int *abandoned);

/* As pool_progress. */
int jobtable_progress(struct jobtable *t, const struct sm_key *key, int *is_running, int *stage);

size_t jobtable_queued(struct jobtable *t);
int jobtable_retry_after(struct jobtable *t);

/* [pool] The next job of the class, off the queue and running; NULL if there is none. jobtable_begin names the
 * worker that gets it, and its log; its threads are set. */
struct job *jobtable_next(struct jobtable *t, enum queue_class class, uint64_t now_ns);
void jobtable_begin(struct jobtable *t, struct job *job, int pid, int log);

/* [pool] Charges its client with the time that a running job has taken so far. */
void jobtable_charge(struct jobtable *t, struct job *job, uint64_t now_ns);

/* [pool] Back into the queue, ahead of all: the worker died through no fault of the job's. */
void jobtable_requeue(struct jobtable *t, struct job *job);

/* [pool] Back into the queue, where its rank is: it was slow on the extra worker, which takes it no more. */
void jobtable_put_back(struct jobtable *t, struct job *job);

/* [pool] 1 if jobtable_next would give one. */
int jobtable_has(struct jobtable *t, enum queue_class class);

/* [pool] Everybody who waits gets RESULT (borrowed). The job is freed, and NULL given; or, if RESULT has to be confirmed
 * before it is kept, the job is given back, *new*. */
struct job *jobtable_finish(struct jobtable *t, struct job *job, struct result *result);

/* [pool] RESULT (borrowed) of JOB, which jobtable_finish gave back, is confirmed, and kept. */
void jobtable_admit(struct jobtable *t, const struct job *job, struct result *result);

/* [pool] 1 if nobody waits for a running job any more; jobtable_drop frees it once its worker is gone. */
int jobtable_abandoned(struct jobtable *t, const struct job *job);
void jobtable_drop(struct jobtable *t, struct job *job);

/* [pool] The client of the watched waiter that has this ticket has hung up: it waits no longer, done() gets NULL. */
void jobtable_hung_up(struct jobtable *t, uint64_t ticket);

/* [pool] Ends the waits whose deadline has passed. Returns the next deadline, 0 if there is none. */
uint64_t jobtable_expire(struct jobtable *t, uint64_t now_ns);

/* [pool] Every waiter gets STATUS, and nothing is taken any more if CLOSE; running jobs are abandoned if CLOSE, else
 * only queued ones end. */
void jobtable_fail_all(struct jobtable *t, sm_status status, const char *detail, int close);

#endif
