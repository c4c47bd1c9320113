/* durable_run.h - the jobs of the shared queue that this server runs; what durable.c, whose part it is, has for it.
 */
#ifndef SMD_DURABLE_RUN_H
#define SMD_DURABLE_RUN_H

#include "budget.h"
#include "context.h"
#include "jobqueue.h"
#include "seal.h"
#include "tasks.h"

enum { DURABLE_AROUND = 64 << 10 }; /* bytes of a job or a result beside module and artifact */

struct durable {
    struct smd *smd;
    struct jobqueue *queue;
    struct seal_secret secret;
    struct tasks *sealer, *opener;
    atomic_int closing;
    pthread_mutex_t lock; /* of the two flags of each job that runs */
};

/* What the queue calls to have jobs run. */
struct jobqueue_owner durable_owner(struct durable *d);

/* Counts and logs a job or a result of this id that is not what a server with this key wrote. */
void durable_note_damaged(struct durable *d, const char *id, const char *detail);

/* *New*, LEN bytes: what the seal of the job's id holds, for which CHARGE is taken. NULL, and why in *STATUS: SM_DAMAGED
 * if it is not sealed for it, or larger than MOST. */
unsigned char *durable_open(struct durable *d, const char *id, sm_slice sealed, size_t most, uint64_t client,
                            enum held_kind what, struct charge *charge, size_t *len, sm_status *status);

#endif
