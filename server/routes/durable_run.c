/* durable_run.c - see durable_run.h. */
#include "durable_run.h"

#include "cache.h"
#include "container.h"
#include "dispatch.h"
#include "jobrecord.h"
#include "log.h"
#include "request.h"

#include <stdlib.h>
#include <string.h>

/* Milliseconds until a job that this server cannot run now is tried again, or cannot read. */
enum { AGAIN_MS = 1000, OTHERS_MS = 10000 };

/* ---- Seals -------------------------------------------------------------------------------------------------- */

void durable_note_damaged(struct durable *d, const char *id, const char *detail) {
    metric_add(&d->smd->metrics, METRIC_JOB_QUEUE_DAMAGED, 1);
    log_event(LOG_LEVEL_WARNING, "job_queue_damaged", "{s:s,s:s}", "id", id, "detail", detail);
}

unsigned char *durable_open(struct durable *d, const char *id, sm_slice sealed, size_t most, uint64_t client,
                            enum held_kind what, struct charge *charge, size_t *len, sm_status *status) {
    const struct sm_key key = job_id_key(id);
    *len = seal_check(&d->secret, &key, sealed);
    *status =
        *len && *len <= most + DURABLE_AROUND ? budget_take(d->smd->budget, charge, what, client, *len) : SM_DAMAGED;
    unsigned char *content = *status == SM_OK ? malloc(*len) : NULL;
    if (*status == SM_OK && !(content && seal_open(sealed, content, *len)))
        *status = content ? SM_DAMAGED : SM_NOMEM;
    if (*status == SM_OK)
        return content;
    budget_give(charge, 0);
    free(content);
    return NULL;
}

/* ---- Jobs --------------------------------------------------------------------------------------------------- */

struct running {
    struct waiter waiter;
    struct task task;
    struct durable *durable;
    struct jobqueue_work *work;
    struct sm_key name;
    struct result *result; /* owned reference, once there is one */
    atomic_int refs;       /* the queue's, and that of the task that submits it */
    int is_submitted, is_lost;
};

static void drop_running(struct running *run) {
    if (atomic_fetch_sub(&run->refs, 1) > 1)
        return;
    result_unref(run->result);
    free(run);
}

/* The queue's callback: the job is another's, or has ended. */
static void on_over(void *durable, struct jobqueue_work *work) {
    (void)durable;
    if (work->owner)
        drop_running(work->owner);
}

/* The job did not come to an end of its own; another server, or this one again, may have more luck. What a server of
 * another version wrote is for such a server. */
static void give_back(struct running *run, sm_status why) {
    int is_blameless =
        why == SM_OVERLOADED || why == SM_TOO_MANY_REQUESTS || why == SM_DRAINING || why == SM_INCOMPATIBLE;
    int delay_ms = why == SM_DRAINING ? 0 : why == SM_INCOMPATIBLE ? OTHERS_MS : AGAIN_MS;
    jobqueue_give_back(run->durable->queue, run->work, delay_ms, !is_blameless);
}

/* 1 if that is the server's trouble, and not the job's end. */
static int is_servers_own(sm_status s) {
    return s == SM_OVERLOADED || s == SM_TOO_MANY_REQUESTS || s == SM_DRAINING || s == SM_NO_WORKER ||
           s == SM_NOMEM || s == SM_CANCELLED || s == SM_INTERNAL;
}

/* *New*: the sealed result of the job; NULL if out of memory. */
static unsigned char *seal_result(struct running *run, const struct result *result, size_t *len) {
    const struct sm_key key = job_id_key(run->work->id);
    unsigned char *bytes = NULL;
    sm_buf record;
    sm_buf_init(&record, SIZE_MAX / 2);
    if (jobrecord_put_result(&record, &run->name, result) == SM_OK)
        bytes = seal_close(&run->durable->secret, &key, (sm_slice){record.data, record.len}, len);
    sm_buf_free(&record);
    return bytes;
}

/* The sealer's task. */
static void run_sealing(struct task *task) {
    struct running *run = container_of(task, struct running, task);
    struct durable *d = run->durable;
    size_t len = 0;
    unsigned char *bytes = seal_result(run, run->result, &len);
    if (bytes && len > jobqueue_largest(&d->smd->settings)) {
        free(bytes);
        struct result *large = result_failure(
            SM_OUTPUT_TOO_LARGE, "The result is larger than the queue of jobs keeps (job_queue_entry_mib)");
        bytes = large ? seal_result(run, large, &len) : NULL;
        result_unref(large);
    }
    result_unref(run->result);
    run->result = NULL;
    if (bytes)
        jobqueue_end(d->queue, run->work, bytes, len);
    else
        give_back(run, SM_NOMEM);
}

/* The dispatch's callback. */
static void on_run_done(struct waiter *w, struct result *result) {
    struct running *run = container_of(w, struct running, waiter);
    if (!result || is_servers_own(result->status)) {
        give_back(run, result ? result->status : SM_NOMEM);
        return;
    }
    run->result = result_ref(result);
    run->task = (struct task){.run = run_sealing, .client = w->client, .work = result_with_parts(result).len};
    tasks_add(run->durable->sealer, &run->task);
}

/* *New*: the job that is in hand, with its key; NULL, and why. */
static struct job *open_job(struct running *run, sm_status *status) {
    struct durable *d = run->durable;
    struct jobqueue_work *work = run->work;
    const struct settings *s = &d->smd->settings;
    struct charge charge = {0};
    size_t len;
    uint64_t client = strtoull(work->client, NULL, 10);
    unsigned char *content = durable_open(d, work->id, (sm_slice){work->bytes, work->len},
                                          (size_t)s->max_body_mib << 20, client, HELD_INPUT, &charge, &len, status);
    struct job *job = content ? jobrecord_read_job(content, len, &charge, &client, status) : NULL;
    if (*status == SM_DAMAGED || *status == SM_INCOMPATIBLE)
        durable_note_damaged(d, work->id,
                             *status == SM_DAMAGED ? "A job is not what a server with this mac_key wrote"
                                                   : "A job was written by a server of another version");
    if (!job)
        return NULL;
    if (job->options.deadline_ms > s->max_deadline_ms)
        job->options.deadline_ms = s->max_deadline_ms;
    struct holder *payer = d->smd->access ? access_named(d->smd->access, job->payer.name) : NULL;
    request_pay(payer, job);
    holder_unref(payer);
    run->waiter.client = client;
    *status = cache_key(d->smd->cache, job, d->smd->key_context);
    run->name = job->name;
    if (*status == SM_OK)
        return job;
    job_free(job);
    return NULL;
}

/* Cancels the job, which was submitted, for nobody needs it here. */
static void cancel_run(struct running *run) {
    if (dispatch_cancel(run->durable->smd->dispatch, &run->waiter))
        give_back(run, SM_DRAINING);
}

/* The opener's task: submits the job. */
static void run_job(struct task *task) {
    struct running *run = container_of(task, struct running, task);
    struct durable *d = run->durable;
    sm_status s;
    struct job *job = open_job(run, &s);
    if (job) {
        run->waiter.done = on_run_done;
        run->waiter.deadline_ns = job_deadline_ns(job);
        run->waiter.watch_fd = -1;
        s = dispatch_submit(d->smd->dispatch, job, &run->waiter);
    }
    if (s != SM_OK) {
        give_back(run, s);
    } else {
        pthread_mutex_lock(&d->lock);
        run->is_submitted = 1;
        int is_lost = run->is_lost;
        pthread_mutex_unlock(&d->lock);
        if (is_lost)
            cancel_run(run);
    }
    drop_running(run);
}

/* The queue's callback: a job is in hand. */
static void on_work(void *durable, struct jobqueue_work *work) {
    struct durable *d = durable;
    struct running *run = calloc(1, sizeof *run);
    if (!run) {
        jobqueue_give_back(d->queue, work, AGAIN_MS, 1);
        return;
    }
    run->durable = d;
    run->work = work;
    work->owner = run;
    atomic_init(&run->refs, 2);
    run->task = (struct task){.run = run_job, .client = strtoull(work->client, NULL, 10), .work = work->len};
    tasks_add(d->opener, &run->task);
}

/* The queue's callback: another server has the job. */
static void on_lost(void *durable, struct jobqueue_work *work) {
    struct durable *d = durable;
    struct running *run = work->owner;
    if (!run)
        return;
    pthread_mutex_lock(&d->lock);
    run->is_lost = 1;
    int is_submitted = run->is_submitted;
    pthread_mutex_unlock(&d->lock);
    if (is_submitted)
        cancel_run(run);
}

/* The queue's callback. One job is in hand whatever else waits, so that no queue is left lying; more while no other job
 * waits for a worker. */
static int has_room(void *durable, int in_hand) {
    struct durable *d = durable;
    struct pool_state state = pool_state(d->smd->pool);
    return state.ready && (!in_hand || (in_hand < state.workers && !state.queued));
}

struct jobqueue_owner durable_owner(struct durable *d) {
    return (struct jobqueue_owner){.arg = d, .has_room = has_room, .run = on_work, .lost = on_lost, .over = on_over};
}
