/* pool.h - the pool of workers: jobs go in, each waiter gets one answer, whatever happens to the workers.
 *
 * One thread owns the fork server, workers and their sockets. pool_submit and pool_cancel may be called from any thread; they
 * take a lock for a few instructions and never wait.
 *
 *   - Jobs of one key run once: who comes while one is in flight waits with the others.
 *   - A waiter has a deadline of its own; a job that nobody waits for is dropped, running or not.
 *   - A crash of the compiler ends the job; all its waiters get that answer, and the key is remembered for a while.
 *   - A worker killed from outside costs nothing: its job runs again (workers.h: how often).
 */
#ifndef SMD_POOL_H
#define SMD_POOL_H

#include "jobtable.h"

struct pool;

/* What /readyz, headers and capabilities show. */
struct pool_state {
    int ready; /* boolean: a worker has been started and the fork server lives */
    int workers, busy;
    size_t queued;
};

/* Starts the fork server and the thread; results go to KEEP(KEEPER) as well. main calls it before any other thread is started. NULL and
 * WHY on failure. *new* */
struct pool *pool_start(const struct settings *s, struct metrics *m, jobtable_keep *keep, void *keeper, char *why,
                        size_t why_size);

/* What the fork server said of compiler and targets: JSON, constant. *borrowed* for the pool's life. */
const char *pool_about(const struct pool *p);

/* Takes a job in every case, for a waiter (client, deadline, watch_fd and done set by the caller). SM_OK: done() will be
 * called, perhaps before this returns; or *KNOWN is the answer, *new*, of a failure that is still remembered, and done()
 * will not be called. SM_OVERLOADED or SM_TOO_MANY_REQUESTS: refused, done() will not be called. */
sm_status pool_submit(struct pool *p, struct job *job, struct waiter *w, struct result **known);

/* 1: W waits no longer and done() will not be called. 0: done() has been called or is about to be. */
int pool_cancel(struct pool *p, struct waiter *w);

struct pool_state pool_state(struct pool *p);

/* 1 if the pool's thread has gone through its loop within the last seconds. */
int pool_moves(struct pool *p);

/* In how many seconds the queue will likely have moved on: for Retry-After; at least 1. */
int pool_retry_after(struct pool *p);

/* Whoever still waits gets SM_DRAINING, and nothing is taken any more. */
void pool_end_waits(struct pool *p);

/* Ends the thread, the fork server and all workers; after pool_end_waits. */
void pool_stop(struct pool *p);

#endif
