/* reads.c - see reads.h. */
#include "reads.h"

#include "clock.h"
#include "log.h"

#include <time.h>

/* Takes the oldest read off, if it began before then; NULL if there is none. Under the lock. */
static struct disk_read *take_older(struct reads *q, uint64_t then_ns) {
    struct disk_read *r = q->running ? q->running : STAILQ_FIRST(&q->waiting);
    if (!r || r->since_ns > then_ns)
        return NULL;
    if (r == q->running)
        q->running = NULL;
    else
        STAILQ_REMOVE_HEAD(&q->waiting, next);
    metric_add(q->metrics, METRIC_CACHE_READ_ERRORS, 1);
    return r;
}

/* Ends all reads that began before then. Under the lock, which it lets go of meanwhile. */
static void give_up(struct reads *q, uint64_t then_ns) {
    for (struct disk_read *r; (r = take_older(q, then_ns)) != NULL;) {
        int is_news = !q->is_late && !q->stopping;
        q->is_late = 1;
        pthread_mutex_unlock(&q->lock);
        if (is_news)
            log_event(LOG_LEVEL_WARNING, "cache_hangs", "{s:i}", "ms", READ_MS);
        r->done(r, NULL); /* R may be gone after this */
        pthread_mutex_lock(&q->lock);
    }
}

/* Waits until the oldest read has waited too long, or, if there is none, until one is added. Under the lock. */
static void await_oldest(struct reads *q) {
    const struct disk_read *oldest = q->running ? q->running : STAILQ_FIRST(&q->waiting);
    uint64_t until = oldest ? oldest->since_ns + READ_MS * 1000000ull : 0;
    struct timespec t = {.tv_sec = (time_t)(until / 1000000000), .tv_nsec = (long)(until % 1000000000)};
    if (oldest)
        pthread_cond_timedwait(&q->changed, &q->lock, &t);
    else
        pthread_cond_wait(&q->changed, &q->lock);
}

/* The thread: gives up what has waited for too long, until it is stopped. */
static void *watch_reads(void *arg) {
    struct reads *q = arg;
    pthread_mutex_lock(&q->lock);
    while (!q->stopping) {
        await_oldest(q);
        give_up(q, sm_clock_ns() - READ_MS * 1000000ull);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

int reads_start(struct reads *q, struct metrics *m) {
    pthread_condattr_t monotonic;
    *q = (struct reads){.metrics = m};
    STAILQ_INIT(&q->waiting);
    pthread_mutex_init(&q->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&q->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return pthread_create(&q->watch, NULL, watch_reads, q) == 0;
}

int reads_add(struct reads *q, struct disk_read *read) {
    pthread_mutex_lock(&q->lock);
    int fits = !q->stopping && !q->is_late, is_first = !q->running && STAILQ_EMPTY(&q->waiting);
    if (fits) {
        read->since_ns = sm_clock_ns();
        STAILQ_INSERT_TAIL(&q->waiting, read, next);
        if (is_first)
            pthread_cond_signal(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return fits;
}

struct disk_read *reads_take(struct reads *q, struct disk_read *copy) {
    pthread_mutex_lock(&q->lock);
    struct disk_read *r = STAILQ_FIRST(&q->waiting);
    q->is_late = 0;
    if (r) {
        STAILQ_REMOVE_HEAD(&q->waiting, next);
        q->running = r;
        *copy = *r;
    }
    pthread_mutex_unlock(&q->lock);
    return r;
}

void reads_finish(struct reads *q, struct disk_read *read, const struct disk_read *copy, struct result *result) {
    pthread_mutex_lock(&q->lock);
    int is_ours = q->running == read; /* a read that is added at the same address waits, and is not running */
    q->running = NULL;
    pthread_mutex_unlock(&q->lock);
    if (!is_ours)
        return;
    read->refused = copy->refused;
    read->done(read, result);
}

int reads_wait(struct reads *q) {
    pthread_mutex_lock(&q->lock);
    int some = !STAILQ_EMPTY(&q->waiting);
    pthread_mutex_unlock(&q->lock);
    return some;
}

void reads_stop(struct reads *q) {
    pthread_mutex_lock(&q->lock);
    q->stopping = 1;
    give_up(q, UINT64_MAX);
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->watch, NULL);
}
