/* stored.h - jobs that are stored: they run without a request that waits for them, and their results are kept.
 *
 * A stored job is a waiter of its own (jobtable.h): the request that made it ends at once. Results are kept for
 * job_ttl_s. At most queue_jobs of them wait or run, and at most queue_jobs are done, whose results take queue_mib at
 * most. Nothing is refused because of jobs that are done: they make room, in the budget too.
 */
#ifndef SMD_STORED_H
#define SMD_STORED_H

#include "jobrecord.h"
#include "request.h"

struct jobs;
struct stored; /* a job of theirs */

/* A request that asks for a job, and may wait for it. */
struct poll {
    struct request *request;
    struct stored *job; /* NULL once it has been answered */
    struct poll *next;
    uint64_t until_ns;
    int answer; /* its kind */
    int wait_s;
    struct result *result; /* owned reference; NULL while the job waits or runs */
    char id[JOB_ID_TEXT];
};

enum job_state { JOB_UNKNOWN, JOB_SEEN, JOB_AWAITED, JOB_RENDERED };

struct jobs *jobs_new(struct smd *smd); /* NULL when out of memory. *new* */

/* About once a second: forgets what is too old, and answers long polls whose time is up. */
void jobs_tick(struct jobs *j);

/* Answers all long polls and takes no more. */
void jobs_close(struct jobs *j);
void jobs_free(struct jobs *j); /* after the pool has ended */

/* Reserves a place for JOB, which has its key and is submitted later; NULL, and *WHY, if there is no room for one
 * more. To be followed by jobs_start or jobs_abandon. */
struct stored *jobs_reserve(struct jobs *j, uint64_t client, const struct job *job, sm_status *why);
const char *jobs_id(const struct stored *s);
sm_status jobs_start(struct stored *s, uint64_t client,
                     struct job *job); /* JOB is *taken*; forgotten if it is refused */
void jobs_abandon(struct stored *s);

/* Before jobs_start: the job is told to the collector of traces, when it has ended, as a part of the request. */
void jobs_trace(struct stored *s, struct request *r);

/* The result of the job of P's id; its request gets the key. JOB_AWAITED: the request is suspended until there is
 * one, or P's time is up. JOB_RENDERED: it is until the result's large answer is made. */
enum job_state jobs_look(struct jobs *j, struct poll *p);

/* A result that was fetched may have grown by its JSON. */
void jobs_charge(struct jobs *j, const char *id);

/* Cancels and forgets; 0 if there is none. */
int jobs_remove(struct jobs *j, const char *id);

#endif
