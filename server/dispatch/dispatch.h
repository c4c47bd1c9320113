/* dispatch.h - the one door for jobs: what was compiled before is answered from the cache, all else goes to the pool.
 *
 *     memory -> disk -> shared tier -> store -> pool (what failed lately -> in flight -> a worker)
 *
 * A job that was submitted here is cancelled here: only dispatch knows whether it is still looked for on disk or is the
 * pool's. Before that, POST /v1/compile looks into memory itself (routes/compile.c), since a hit needs no waiter; it
 * then calls dispatch_answered for a hit and dispatch_miss for a miss. Any thread may call everything; no waiter's
 * done() is called under a lock.
 */
#ifndef SMD_DISPATCH_H
#define SMD_DISPATCH_H

#include "cache.h"
#include "pool.h"

struct dispatch;

/* All arguments are borrowed until dispatch_free. NULL if out of memory. *new* */
struct dispatch *dispatch_new(const struct settings *s, struct metrics *m, struct budget *b, struct cache *cache,
                              struct pool *pool);
void dispatch_free(struct dispatch *d); /* when nothing is looked for on disk any more; NULL is fine */

/* Takes the job in every case, for a waiter (client, deadline, watch_fd and done set by the caller). SM_OK: done() will
 * be called, perhaps before this returns, from any thread. Anything else: refused, done() will not be called. The job's
 * option `cache` says what is allowed. */
sm_status dispatch_submit(struct dispatch *d, struct job *job, struct waiter *w);

/* The same for a job that the caller has just looked for in memory, in vain: this looks on disk next. */
sm_status dispatch_miss(struct dispatch *d, struct job *job, struct waiter *w);

/* 1: W waits no longer and done() will not be called. 0: done() has been called or is about to be. */
int dispatch_cancel(struct dispatch *d, struct waiter *w);

/* The caller has answered JOB with RESULT (borrowed) from the cache. JOB is *taken*: freed, or compiled again to
 * compare. */
void dispatch_answered(struct dispatch *d, struct job *job, struct result *result);

#endif
