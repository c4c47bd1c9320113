/* tasks.c - see tasks.h. */
#include "tasks.h"

#include "join.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct tasks {
    pthread_t thread;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t changed;
    STAILQ_HEAD(, task) waiting;
    size_t bytes, max_bytes; /* of those that wait and the one that runs */
    int running, stopping;   /* booleans */
};

/* The thread: runs the tasks in order until it is stopped and none is left. */
static void *run_tasks(void *arg) {
    struct tasks *q = arg;
    pthread_mutex_lock(&q->lock);
    for (;;) {
        struct task *t = STAILQ_FIRST(&q->waiting);
        if (!t && q->stopping)
            break;
        if (!t) {
            pthread_cond_wait(&q->changed, &q->lock);
            continue;
        }
        size_t bytes = t->bytes;
        STAILQ_REMOVE_HEAD(&q->waiting, next);
        q->running = 1;
        pthread_mutex_unlock(&q->lock);
        t->run(t);
        pthread_mutex_lock(&q->lock);
        q->running = 0;
        q->bytes -= bytes;
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

struct tasks *tasks_start(size_t max_bytes) {
    struct tasks *q = calloc(1, sizeof *q);
    if (!q)
        return NULL;
    q->max_bytes = max_bytes;
    STAILQ_INIT(&q->waiting);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    if (pthread_create(&q->thread, NULL, run_tasks, q) == 0)
        return q;
    tasks_free(q);
    return NULL;
}

int tasks_add(struct tasks *q, struct task *t) {
    assert(t->run);
    pthread_mutex_lock(&q->lock);
    int now = q->stopping;
    int is_idle = !q->running && STAILQ_EMPTY(&q->waiting);
    int fits = now || is_idle || (q->bytes <= q->max_bytes && t->bytes <= q->max_bytes - q->bytes);
    if (fits && !now) {
        STAILQ_INSERT_TAIL(&q->waiting, t, next);
        q->bytes += t->bytes;
        pthread_cond_signal(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    if (now)
        t->run(t);
    return fits;
}

/* Lets the thread end when it has run what was added. */
static void end_tasks(struct tasks *q) {
    pthread_mutex_lock(&q->lock);
    q->stopping = 1;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void tasks_stop(struct tasks *q) {
    if (!q)
        return;
    end_tasks(q);
    pthread_join(q->thread, NULL);
}

int tasks_stop_within(struct tasks *q, int seconds) {
    end_tasks(q);
    return thread_join_within(q->thread, seconds);
}

void tasks_free(struct tasks *q) {
    if (!q)
        return;
    assert(STAILQ_EMPTY(&q->waiting));
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
}
