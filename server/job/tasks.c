/* tasks.c - see tasks.h. */
#include "tasks.h"

#include "clock.h"
#include "container.h"
#include "thread.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { WORK = 256 }; /* bytes that are gone through while the compiler reads one (queue.c) */

struct tasks {
    pthread_t thread;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t changed;
    struct queue waiting;
    size_t bytes, max_bytes; /* of those that wait and the one that runs */
    int running, stopping;   /* booleans */
};

/* The thread: runs the tasks until it is stopped and none is left. */
static void *run_tasks(void *arg) {
    struct tasks *q = arg;
    thread_yields();
    pthread_mutex_lock(&q->lock);
    for (;;) {
        struct queue_item *item = queue_pop(&q->waiting, QUEUE_ALL);
        if (!item && q->stopping)
            break;
        if (!item) {
            pthread_cond_wait(&q->changed, &q->lock);
            continue;
        }
        struct task *t = container_of(item, struct task, item);
        struct queue_item running = *item; /* the task may be gone when it has run */
        size_t bytes = t->bytes;
        uint64_t began = sm_clock_ns();
        q->running = 1;
        pthread_mutex_unlock(&q->lock);
        t->run(t);
        pthread_mutex_lock(&q->lock);
        q->running = 0;
        q->bytes -= bytes;
        uint64_t now = sm_clock_ns();
        queue_end(&q->waiting, &running, now - began, now);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

struct tasks *tasks_start(size_t max_bytes) {
    struct tasks *q = calloc(1, sizeof *q);
    if (!q)
        return NULL;
    q->max_bytes = max_bytes;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    if (pthread_create(&q->thread, NULL, run_tasks, q) == 0)
        return q;
    tasks_free(q);
    return NULL;
}

int tasks_add(struct tasks *q, struct task *t) {
    assert(t->run);
    t->item = (struct queue_item){.client = t->client, .size = t->work / WORK};
    pthread_mutex_lock(&q->lock);
    int is_idle = !q->running && queue_length(&q->waiting) == 0;
    int fits = q->stopping || is_idle || (q->bytes <= q->max_bytes && t->bytes <= q->max_bytes - q->bytes);
    int waits = fits && !q->stopping && queue_push(&q->waiting, &t->item, sm_clock_ns());
    if (waits) {
        q->bytes += t->bytes;
        pthread_cond_signal(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    if (fits && !waits)
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
    assert(queue_length(&q->waiting) == 0);
    queue_free(&q->waiting);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
}
