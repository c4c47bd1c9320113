/* jobs.h - compiles without waiting: POST /v1/jobs, GET and DELETE /v1/jobs/{id}.
 *
 * A stored job is a waiter of its own (jobtable.h): the request that made it ends at once. Results are kept for
 * job_ttl_s; there are at most as many stored jobs as may wait in the queue, and the same again that are done, whose
 * results take at most queue_mib. Nobody is refused because of what is done: it makes room.
 */
#ifndef SMD_JOBS_H
#define SMD_JOBS_H

#include "request.h"

struct jobs;
struct stored; /* a job of theirs */

struct jobs *jobs_new(struct smd *smd); /* NULL when out of memory. *new* */

/* About once a second: forgets what is too old, and answers long polls whose time is up. */
void jobs_tick(struct jobs *j);

/* Answers all long polls and takes no more. */
void jobs_close(struct jobs *j);
void jobs_free(struct jobs *j); /* after the pool has ended */

/* A place for a job of KEY that is submitted later; NULL if as many wait as may. Then either: */
struct stored *jobs_reserve(struct jobs *j, uint64_t client, const struct sm_key *key);
const char *jobs_id(const struct stored *s);
void jobs_start(struct stored *s, uint64_t client, struct job *job); /* JOB is *taken*; forgotten if it is refused */
void jobs_abandon(struct stored *s);

int jobs_post(struct request *r);
void jobs_post_answer(struct request *r);
sm_status jobs_get_begin(struct request *r);
int jobs_get(struct request *r);
void jobs_get_answer(struct request *r);
void jobs_get_drop(struct request *r);
int jobs_delete(struct request *r);

#endif
