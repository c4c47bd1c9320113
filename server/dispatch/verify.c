/* verify.c - see verify.h. */
#include "verify.h"

#include "container.h"
#include "log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct check {
    struct waiter waiter;
    struct metrics *metrics;
    struct result *expected; /* owned reference */
    struct sm_key key;
};

/* The pool's callback: compares the new result with the cached one, counts the outcome, and logs a difference. */
static void on_compared(struct waiter *w, struct result *result) {
    struct check *c = container_of(w, struct check, waiter);
    int compiled = result && result->status == SM_OK;
    int equal = compiled && result->bytes.len == c->expected->bytes.len &&
                memcmp(result->bytes.data, c->expected->bytes.data, result->bytes.len) == 0;
    metric_add(c->metrics,
               equal      ? METRIC_VERIFIED_EQUAL
               : compiled ? METRIC_VERIFIED_DIFFERENT
                          : METRIC_VERIFIED_FAILED,
               1);
    if (compiled && !equal) {
        char key[SM_KEY_TEXT];
        sm_key_text(&c->key, key);
        log_event(LOG_LEVEL_ERROR, "cache_differs", "{s:s}", "key", key);
    }
    result_unref(c->expected);
    free(c);
}

/* 1 for PERCENT of all calls, evenly spread. */
static int is_due(int percent) {
    static atomic_uint hits;
    unsigned n = atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed);
    return percent &&
           (unsigned long long)(n + 1) * (unsigned)percent / 100 != (unsigned long long)n * (unsigned)percent / 100;
}

int verify_hit(const struct settings *s, struct metrics *m, struct pool *pool, struct job *job,
               struct result *result) {
    if (!is_due(s->verify_sample) || result->status != SM_OK)
        return 0;
    struct pool_state state = pool_state(pool);
    struct check *c = !state.busy && !state.queued ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return 0;
    c->metrics = m;
    c->expected = result_ref(result);
    c->key = job->key;
    c->waiter.done = on_compared;
    c->waiter.deadline_ns = job_deadline_ns(job);
    c->waiter.watch_fd = -1;
    job_drop_payer(job); /* no client has asked for it */
    job->keep = 0;
    job->options.cache = SM_CACHING_BYPASS;
    job->options.priority = SM_PRIORITY_BATCH;
    struct result *known = NULL; /* none: what was remembered does not count with cache=bypass */
    if (pool_submit(pool, job, &c->waiter, &known) != SM_OK) {
        result_unref(c->expected);
        free(c);
    }
    assert(!known);
    return 1;
}
