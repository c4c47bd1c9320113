/* board.c - see board.h. */
#include "board.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

void board_init(struct board *b, const struct settings *s, struct metrics *m, pool_keep *keep, void *keeper,
                int epoll, unsigned watch_tag, unsigned tag_bits) {
    memset(b, 0, sizeof *b);
    pthread_mutex_init(&b->lock, NULL);
    b->settings = s;
    b->metrics = m;
    b->keep = keep;
    b->keeper = keeper;
    b->epoll = epoll;
    b->watch_tag = watch_tag;
    b->tag_bits = tag_bits;
    b->job_us = 10000;
}

void board_free(struct board *b) {
    queue_free(&b->queue);
    heap_free(&b->deadlines);
    failures_clear(&b->crashes);
    failures_clear(&b->diagnostics);
    slots_free(&b->watched);
    pthread_mutex_destroy(&b->lock);
}

static struct job **chain_of(struct board *b, const char *key) {
    unsigned h = 0;
    for (int i = 0; i < 8; i++) /* the key is a digest already */
        h = h * 31 + (unsigned char)key[i];
    return &b->flight[h % BOARD_CHAINS];
}

static struct job *find_flight(struct board *b, const char *key) {
    struct job *j = *chain_of(b, key);
    while (j && memcmp(j->key, key, JOB_KEY_TEXT) != 0)
        j = j->next;
    return j;
}

static void leave_flight(struct board *b, struct job *job) {
    struct job **at = chain_of(b, job->key);
    while (*at && *at != job)
        at = &(*at)->next;
    if (*at)
        *at = job->next;
    job->next = NULL;
}

/* One that cannot be watched just is not told of its client's leaving. */
static void watch(struct board *b, struct waiter *w) {
    w->watched = w->watch_fd >= 0 ? slots_enter(&b->watched, w) : 0;
    struct epoll_event e = {.events = EPOLLRDHUP, .data.u64 = w->watched << b->tag_bits | b->watch_tag};
    if (!w->watched || epoll_ctl(b->epoll, EPOLL_CTL_ADD, w->watch_fd, &e) == 0)
        return;
    slots_leave(&b->watched, w->watched);
    w->watched = 0;
}

static void stop_watching(struct board *b, struct waiter *w) {
    if (!w->watched)
        return;
    epoll_ctl(b->epoll, EPOLL_CTL_DEL, w->watch_fd, NULL);
    slots_leave(&b->watched, w->watched);
    w->watched = 0;
}

static int attach(struct board *b, struct job *job, struct waiter *w) {
    if (!heap_push(&b->deadlines, &w->deadline, w->deadline_ns))
        return 0;
    w->job = job;
    w->prev = NULL;
    w->next = job->waiters;
    if (w->next)
        w->next->prev = w;
    job->waiters = w;
    watch(b, w);
    return 1;
}

static void detach(struct board *b, struct waiter *w) {
    struct job *job = w->job;
    heap_remove(&b->deadlines, &w->deadline);
    if (w->prev)
        w->prev->next = w->next;
    else
        job->waiters = w->next;
    if (w->next)
        w->next->prev = w->prev;
    w->job = NULL;
    w->prev = w->next = NULL;
    if (job->started_ns > job->arrived_ns)
        w->queue_us = (uint32_t)((job->started_ns - job->arrived_ns) / 1000);
    stop_watching(b, w);
}

/* A job that has lost its last waiter: dropped from the queue, or left to the pool to kill. 1 in the second case. */
static int give_up(struct board *b, struct job *job) {
    leave_flight(b, job);
    metric_add(b->metrics, METRIC_JOBS_CANCELLED, 1);
    if (job->running)
        return 1;
    queue_remove(&b->queue, &job->item);
    metric_add(b->metrics, METRIC_QUEUE_JOBS, -1);
    job_free(job);
    return 0;
}

static sm_status enqueue(struct board *b, struct job *job, struct waiter *w, uint64_t now_ns) {
    if (b->closed)
        return SM_DRAINING;
    if (queue_length(&b->queue) >= (size_t)b->settings->queue_jobs)
        return SM_OVERLOADED;
    if (queue_waiting(&b->queue, w->client) >= (size_t)b->settings->client_jobs)
        return SM_TOO_MANY_REQUESTS;
    job->item = (struct queue_item){
        .client = w->client, .size = job->input_len, .batch = job->options.priority == SM_PRIORITY_BATCH};
    job->arrived_ns = now_ns;
    if (!queue_push(&b->queue, &job->item, now_ns))
        return SM_NOMEM;
    if (!attach(b, job, w)) {
        queue_remove(&b->queue, &job->item);
        return SM_NOMEM;
    }
    struct job **chain = chain_of(b, job->key);
    job->next = *chain;
    *chain = job;
    metric_add(b->metrics, METRIC_QUEUE_JOBS, 1);
    return SM_OK;
}

/* What is remembered of this key, if the job may be answered so. */
static struct result *find_failure(struct board *b, const struct job *job, uint64_t now_ns) {
    if (!job_takes_kept(job))
        return NULL;
    struct result *r = failures_find(&b->crashes, job->key, now_ns);
    return r ? r : failures_find(&b->diagnostics, job->key, now_ns);
}

sm_status board_submit(struct board *b, struct job *job, struct waiter *w, uint64_t now_ns, struct result **known) {
    sm_status s = SM_OK;
    w->job = NULL;
    w->from = FROM_COMPILED;
    w->queue_us = 0;
    w->deadline_ms = job->options.deadline_ms;
    pthread_mutex_lock(&b->lock);
    struct result *failure = find_failure(b, job, now_ns);
    struct job *flight = failure ? NULL : find_flight(b, job->key);
    if (failure) {
        w->from = FROM_MEMORY;
        result_ref(failure);
        metric_add(b->metrics, METRIC_CRASH_HITS, 1);
    } else if (flight && attach(b, flight, w)) {
        w->from = FROM_FLIGHT;
        flight->keep |= job->keep;
        metric_add(b->metrics, METRIC_FROM_FLIGHT, 1);
    } else {
        s = flight ? SM_NOMEM : enqueue(b, job, w, now_ns);
    }
    pthread_mutex_unlock(&b->lock);
    if (failure || flight || s != SM_OK)
        job_free(job);
    *known = failure;
    return s;
}

/* Requires the lock, and that W waits. 1 if a running job has lost its last waiter. */
static int leave(struct board *b, struct waiter *w) {
    struct job *job = w->job;
    detach(b, w);
    return !job->waiters && give_up(b, job);
}

int board_cancel(struct board *b, struct waiter *w, int *abandoned) {
    pthread_mutex_lock(&b->lock);
    int waits = w->job != NULL;
    if (waits)
        *abandoned = leave(b, w);
    pthread_mutex_unlock(&b->lock);
    return waits;
}

size_t board_queued(struct board *b) {
    pthread_mutex_lock(&b->lock);
    size_t n = queue_length(&b->queue);
    pthread_mutex_unlock(&b->lock);
    return n;
}

int board_retry_after(struct board *b) {
    pthread_mutex_lock(&b->lock);
    double seconds = b->job_us * (double)queue_length(&b->queue) / b->settings->workers / 1e6;
    pthread_mutex_unlock(&b->lock);
    return seconds < 1 ? 1 : seconds > 600 ? 600 : (int)(seconds + 0.999);
}

struct job *board_next(struct board *b, int large_too, uint64_t now_ns) {
    struct job *job = NULL;
    pthread_mutex_lock(&b->lock);
    struct queue_item *item = queue_pop(&b->queue, large_too);
    if (item) {
        job = container_of(item, struct job, item);
        job->running = 1;
        job->runs++;
        job->started_ns = now_ns;
        metric_add(b->metrics, METRIC_QUEUE_JOBS, -1);
    }
    pthread_mutex_unlock(&b->lock);
    return job;
}

void board_requeue(struct board *b, struct job *job) {
    pthread_mutex_lock(&b->lock);
    job->running = 0;
    int queued = job->waiters && queue_push(&b->queue, &job->item, 0);
    if (queued)
        metric_add(b->metrics, METRIC_QUEUE_JOBS, 1);
    pthread_mutex_unlock(&b->lock);
    if (queued)
        return;
    struct result *r = result_failure(SM_NOMEM, "");
    board_finish(b, job, r);
    result_unref(r);
}

/* Calls done() of a list of waiters that has been taken off the board. */
static void tell(struct waiter *list, struct result *result) {
    while (list) {
        struct waiter *w = list;
        list = w->next; /* the waiter may be gone once it has been told */
        w->next = NULL;
        w->done(w, result);
    }
}

/* Detaches all waiters of a job and gives them as a list. */
static struct waiter *take_waiters(struct board *b, struct job *job) {
    struct waiter *list = NULL;
    while (job->waiters) {
        struct waiter *w = job->waiters;
        detach(b, w);
        w->next = list;
        list = w;
    }
    return list;
}

/* Failures that would come again: a crash costs a worker each time, a module's errors some of its time. */
static void remember(struct board *b, const struct job *job, struct result *r) {
    const struct settings *s = b->settings;
    int crashed = r->status == SM_COMPILER_CRASHED || r->status == SM_OUT_OF_MEMORY || r->status == SM_CPU_LIMIT;
    int is_wrong = r->memory && sm_status_http(r->status) == 422 && r->bytes.len <= FAILURES_BYTES;
    int ttl_s = crashed ? s->crash_ttl_s : is_wrong && job->keep ? s->diagnostic_ttl_s : 0;
    if (ttl_s)
        failures_add(crashed ? &b->crashes : &b->diagnostics, job->key, r,
                     job->started_ns + (uint64_t)ttl_s * 1000000000u + r->run_us * 1000u);
}

void board_finish(struct board *b, struct job *job, struct result *result) {
    if (result && job->runs)
        metric_compile(b->metrics, result->status);
    if (result && result->status == SM_OK) {
        metric_add(b->metrics, METRIC_FROM_COMPILED, 1);
        b->keep(b->keeper, job, result); /* before it leaves: whoever comes finds it in flight or in the cache */
    }
    pthread_mutex_lock(&b->lock);
    leave_flight(b, job);
    struct waiter *list = take_waiters(b, job);
    if (result && result->run_us)
        b->job_us += ((double)result->run_us - b->job_us) / 16;
    if (result)
        remember(b, job, result);
    pthread_mutex_unlock(&b->lock);
    tell(list, result);
    job_free(job);
}

int board_abandoned(struct board *b, const struct job *job) {
    pthread_mutex_lock(&b->lock);
    int abandoned = job->waiters == NULL;
    pthread_mutex_unlock(&b->lock);
    return abandoned;
}

void board_hung_up(struct board *b, uint64_t ticket) {
    pthread_mutex_lock(&b->lock);
    struct waiter *w = slots_find(&b->watched, ticket); /* whoever is watched waits */
    if (w)
        leave(b, w);
    pthread_mutex_unlock(&b->lock);
    if (w)
        w->done(w, NULL);
}

/* The stage that a running job is in, as its worker says; -1 if it says nothing sensible. */
static int stage_of(const struct job *job) {
    unsigned char stage = 0;
    if (!job->running || pread(job->log, &stage, 1, SM_LOG_SIZE - 1) != 1 || stage > SM_STAGES)
        return -1;
    return stage - 1;
}

/* Each waiter has a deadline of its own, and is told of that one. */
static void tell_timeout(const struct board *b, struct waiter *w, int was_running) {
    char where[80] = "", detail[400];
    int max = b->settings->max_deadline_ms;
    if (w->stage >= 0)
        snprintf(where, sizeof where, "; it was in the stage '%s'", sm_stage_name((unsigned)w->stage));
    snprintf(detail, sizeof detail,
             was_running ? "The compile took longer than its deadline of %d ms%s. "
                         : "The deadline of %d ms passed while the job was waiting for a worker%s. ",
             w->deadline_ms, where);
    size_t n = strlen(detail);
    snprintf(detail + n, sizeof detail - n,
             w->deadline_ms < max ? "The option deadline_ms raises it, to at most %d on this server"
                                  : "This server allows no more (its setting max_deadline_ms is %d)",
             max);
    struct result *r = result_failure(SM_COMPILE_TIMEOUT, detail);
    w->done(w, r);
    result_unref(r);
}

static void tell_timeouts(const struct board *b, struct waiter *list, int was_running) {
    while (list) {
        struct waiter *w = list;
        list = w->next; /* the waiter may be gone once it has been told */
        w->next = NULL;
        tell_timeout(b, w, was_running);
    }
}

uint64_t board_expire(struct board *b, uint64_t now_ns) {
    struct waiter *queued = NULL, *running = NULL;
    pthread_mutex_lock(&b->lock);
    struct heap_node *first;
    while ((first = heap_top(&b->deadlines)) && first->key <= now_ns) {
        struct waiter *w = container_of(first, struct waiter, deadline);
        struct job *job = w->job;
        struct waiter **list = job->running ? &running : &queued;
        w->stage = stage_of(job);
        detach(b, w);
        if (!job->waiters && job->running)
            metric_compile(b->metrics, SM_COMPILE_TIMEOUT);
        if (!job->waiters)
            give_up(b, job);
        w->next = *list;
        *list = w;
    }
    uint64_t next = first ? first->key : 0;
    pthread_mutex_unlock(&b->lock);
    tell_timeouts(b, queued, 0);
    tell_timeouts(b, running, 1);
    return next;
}

void board_fail_all(struct board *b, sm_status status, const char *detail, int close) {
    struct result *r = result_failure(status, detail);
    struct waiter *list = NULL;
    pthread_mutex_lock(&b->lock);
    b->closed |= close;
    for (size_t i = 0; i < BOARD_CHAINS; i++)
        for (struct job *job = b->flight[i], *next; job; job = next) {
            next = job->next;
            if (job->running && !close)
                continue;
            for (struct waiter *w = take_waiters(b, job), *after; w; w = after) {
                after = w->next;
                w->next = list;
                list = w;
            }
            give_up(b, job);
        }
    pthread_mutex_unlock(&b->lock);
    tell(list, r);
    result_unref(r);
}
