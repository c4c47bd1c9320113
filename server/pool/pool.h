/* pool.h - the pool of workers: jobs go in, each waiter gets one answer, whatever happens to the workers.
 *
 * One thread owns the fork server, workers and their sockets. pool_submit and pool_cancel may be called from any
 * thread; they take a lock for a few instructions and never wait.
 *
 *   - Jobs of one key run once: a request that comes while such a job is in flight waits with the others.
 *   - A waiter has a deadline of its own; a job that nobody waits for is dropped, running or not.
 *   - A crash of the compiler ends the job; all its waiters get that answer, and the key is remembered for a while.
 *   - A worker killed from outside costs nothing: its job runs again (workers.h: how often).
 */
#ifndef SMD_POOL_H
#define SMD_POOL_H

#include "error.h"
#include "jobtable.h"

struct pool;

/* What /readyz, headers and capabilities show. */
struct pool_state {
    int ready; /* boolean: a worker has been started and the fork server lives */
    int workers, busy;
    size_t queued;
};

/* Starts the fork server and the pool's thread, whose results are taken from B (borrowed); each success of a worker
 * is also given to KEEP(KEEPER). main calls this before it starts any other thread. NULL on failure. *new* */
struct pool *pool_start(const struct settings *s, struct metrics *m, struct budget *b, jobtable_keep *keep,
                        void *keeper, struct error *err);

/* What the fork server said of compiler and targets: JSON, constant. *borrowed* for the pool's life. */
const char *pool_about(const struct pool *p);

/* Takes JOB in every case, for a waiter whose client, deadline, watch_fd and done the caller has set. SM_OK: if this
 * key has failed lately, *KNOWN is that failure, *new*, and done() will not be called; otherwise *KNOWN is NULL and
 * done() will be called, perhaps before this returns. Any other status (SM_OVERLOADED, SM_TOO_MANY_REQUESTS, ...):
 * the job is refused, and done() will not be called. */
sm_status pool_submit(struct pool *p, struct job *job, struct waiter *w, struct result **known);

/* 1: W waits no longer and done() will not be called. 0: done() has been called or is about to be. */
int pool_cancel(struct pool *p, struct waiter *w);

/* 1 if a job of this key waits or runs; *STAGE is the one that it is in, -1 if it is in none or its worker does not
 * say. */
int pool_progress(struct pool *p, const struct sm_key *key, int *is_running, int *stage);

struct pool_state pool_state(struct pool *p);

/* 1 if the pool's thread has gone through its loop within the last seconds. */
int pool_moves(struct pool *p);

/* In how many seconds the queue will likely have moved on: for Retry-After; at least 1. */
int pool_retry_after(struct pool *p);

/* Ends every wait with SM_DRAINING; from now on no job is taken. */
void pool_end_waits(struct pool *p);

/* Ends the thread, the fork server and all workers; after pool_end_waits. 0: the disk of the crashes does not
 * answer, and its thread still runs. */
int pool_stop(struct pool *p);

#endif
