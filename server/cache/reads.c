/* reads.c - see reads.h. */
#include "reads.h"

#include "clock.h"
#include "container.h"
#include "log.h"

#include <time.h>

/* The oldest read, *borrowed*; NULL if there is none. Under the lock. */
static struct disk_read *oldest(const struct reads *q) {
    struct disk_read *first = TAILQ_FIRST(&q->by_age);
    return first && (!q->running || first->since_ns < q->running->since_ns) ? first : q->running;
}

/* Takes the oldest read off, if it began before then; NULL if there is none. Under the lock. */
static struct disk_read *take_older(struct reads *q, uint64_t then_ns) {
    struct disk_read *r = oldest(q);
    if (!r || r->since_ns > then_ns)
        return NULL;
    if (r == q->running) {
        q->running = NULL;
    } else {
        queue_remove(&q->waiting, &r->item);
        TAILQ_REMOVE(&q->by_age, r, next);
    }
    metric_add(q->metrics, METRIC_CACHE_READ_ERRORS, 1);
    return r;
}

/* Ends all reads that began before then. Under the lock, which it lets go of meanwhile. */
static void give_up(struct reads *q, uint64_t then_ns) {
    for (struct disk_read *r; (r = take_older(q, then_ns)) != NULL;) {
        int is_news = !q->is_late && !q->stopping;
        q->is_late = 1;
        r->is_late = 1;
        pthread_mutex_unlock(&q->lock);
        if (is_news)
            log_event(LOG_LEVEL_WARNING, "cache_hangs", "{s:i}", "ms", READ_MS);
        r->done(r, NULL); /* R may be gone after this */
        pthread_mutex_lock(&q->lock);
    }
}

/* Waits until the oldest read has waited too long, or, if there is none, until one is added. Under the lock. */
static void await_oldest(struct reads *q) {
    const struct disk_read *r = oldest(q);
    uint64_t until = r ? r->since_ns + READ_MS * 1000000ull : 0;
    struct timespec t = {.tv_sec = (time_t)(until / 1000000000), .tv_nsec = (long)(until % 1000000000)};
    if (r)
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
    TAILQ_INIT(&q->by_age);
    pthread_mutex_init(&q->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&q->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return pthread_create(&q->watch, NULL, watch_reads, q) == 0;
}

int reads_add(struct reads *q, struct disk_read *read) {
    pthread_mutex_lock(&q->lock);
    int is_first = !oldest(q);
    read->since_ns = sm_clock_ns();
    read->is_late = 0;
    read->item = (struct queue_item){.client = read->client};
    int fits = !q->stopping && !q->is_late && queue_push(&q->waiting, &read->item, read->since_ns);
    if (fits) {
        TAILQ_INSERT_TAIL(&q->by_age, read, next);
        if (is_first)
            pthread_cond_signal(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return fits;
}

struct disk_read *reads_take(struct reads *q, struct disk_read *copy) {
    pthread_mutex_lock(&q->lock);
    struct queue_item *item = queue_pop(&q->waiting, QUEUE_ALL);
    struct disk_read *r = item ? container_of(item, struct disk_read, item) : NULL;
    q->is_late = 0;
    if (r) {
        TAILQ_REMOVE(&q->by_age, r, next);
        q->running = r;
        q->taken = *item;
        q->taken_ns = sm_clock_ns();
        *copy = *r;
    }
    pthread_mutex_unlock(&q->lock);
    return r;
}

void reads_finish(struct reads *q, struct disk_read *read, const struct disk_read *copy, struct result *result) {
    pthread_mutex_lock(&q->lock);
    int is_ours = q->running == read; /* a read that is added at the same address waits, and is not running */
    uint64_t now = sm_clock_ns();
    q->running = NULL;
    queue_end(&q->waiting, &q->taken, now - q->taken_ns, now);
    pthread_mutex_unlock(&q->lock);
    if (!is_ours)
        return;
    read->refused = copy->refused;
    read->done(read, result);
}

int reads_wait(struct reads *q) {
    pthread_mutex_lock(&q->lock);
    int some = queue_length(&q->waiting) > 0;
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

void reads_free(struct reads *q) {
    queue_free(&q->waiting);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
}
