/* durable.h - jobs of the queue that servers share (jobqueue.h): POST /v1/jobs with the setting job_queue, what any server
 * says of them, and those that this one runs.
 *
 * Each function for a request suspends it, or finds it suspended; request_ready() follows.
 */
#ifndef SMD_DURABLE_H
#define SMD_DURABLE_H

#include "error.h"
#include "request.h"
#include "stored.h"

struct durable;

/* NULL if a setting is wrong, or out of memory. SMD is borrowed, and has all else that routes need. *new* */
struct durable *durable_start(struct smd *smd, struct error *err);

/* smd is about to stop: no job is taken any more, and nobody waits for one. */
void durable_close(struct durable *d); /* NULL is fine */

/* Gives back what is in hand, after the pool has ended its waits. 0: as tier_stop. NULL is fine. */
int durable_stop(struct durable *d);
void durable_free(struct durable *d); /* after durable_stop has given 1, when no request is left; NULL is fine */

/* The request's job, which has its key, into the queue. The reply is filled unless SM_OK. For compile_submit. */
sm_status durable_submit(struct request *r);

/* The result of the job of P's id, or that it waits. P gets the result, or the reply is a problem. */
void durable_look(struct request *r, struct poll *p);

void durable_remove(struct request *r, const char *id);

/* finish() of GET /v1/dead-jobs, and of POST /v1/dead-jobs/ID. */
int durable_list(struct request *r);
int durable_retry(struct request *r);

#endif
