/* jobqueue.h - the queue of jobs that servers share and that outlives them: streams of Redis or Valkey, behind one thread.
 *
 * A job that was added is in Redis until it has ended, and its result for job_ttl_s after that: any server answers for it.
 * A server that has room takes a job, and renews it while it has it. If it is gone, another takes the job after job_lease_s.
 * A job that was delivered job_deliveries times is dead: it is kept apart, until an operator has it run again. Two servers
 * may run the same, if one was cut off for long: the first result counts, and both are the same bytes.
 *
 * While Redis is away nothing is added and nobody is answered for a job (JOBQUEUE_DOWN); what this server has in hand goes
 * on. Bytes in here are sealed: jobrecord.h, seal.h. Any thread may call this.
 */
#ifndef SMD_JOBQUEUE_H
#define SMD_JOBQUEUE_H

#include "error.h"
#include "jobask.h"
#include "metrics.h"
#include "settings.h"

struct jobqueue;

/* What the queue asks of who runs jobs, on its thread. None may take long. */
struct jobqueue_owner {
    void *arg;
    /* 1 if one more job may be taken beside so many in hand. */
    int (*has_room)(void *arg, int in_hand);
    /* Begins to run it. jobqueue_end or jobqueue_give_back follows, once, from any thread. */
    void (*run)(void *arg, struct jobqueue_work *work);
    /* Another server has it now, or it was removed: it need not go on. One of the two follows all the same. */
    void (*lost)(void *arg, struct jobqueue_work *work);
    /* It has been ended or given back; the queue forgets it. */
    void (*over)(void *arg, struct jobqueue_work *work);
};

/* *QUEUE, *new*, is the queue at the addresses that the settings name; the owner may be called from then on. It need
 * not be up. On failure, a setting is wrong, or it is out of memory, and *QUEUE is NULL. */
sm_status jobqueue_start(const struct settings *s, struct metrics *m, const struct jobqueue_owner *owner,
                         struct jobqueue **queue, struct error *err);

/* What jobqueue_start would refuse, without a connection. */
sm_status jobqueue_check(const struct settings *s, struct error *err);

/* The most bytes of a sealed job or result. */
size_t jobqueue_largest(const struct settings *s);

int jobqueue_is_up(const struct jobqueue *q);

/* Begins; done() will be called. */
void jobqueue_begin(struct jobqueue *q, struct jobqueue_ask *ask);

/* The job has ended. BYTES, its sealed result, are *taken*. */
void jobqueue_end(struct jobqueue *q, struct jobqueue_work *work, unsigned char *bytes, size_t len);

/* The job is another server's, or this one's again, after DELAY_MS. COUNTS: the delivery does. */
void jobqueue_give_back(struct jobqueue *q, struct jobqueue_work *work, int delay_ms, int counts);

/* No job is taken any more, and asks that are not due are made now. */
void jobqueue_close(struct jobqueue *q);

/* Ends the asks, and writes what has ended or was given back, for a second at most. An ask that is begun later is
 * answered with JOBQUEUE_DOWN. 0: as tier_stop. NULL is fine. */
int jobqueue_stop(struct jobqueue *q);

/* After jobqueue_stop has given 1, when nobody calls any more. NULL is fine. */
void jobqueue_free(struct jobqueue *q);

#endif
