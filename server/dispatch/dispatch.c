/* dispatch.c - see dispatch.h. */
#include "dispatch.h"

#include "container.h"
#include "verify.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct dispatch {
    const struct settings *settings;
    struct metrics *metrics;
    struct budget *budget;
    struct cache *cache;
    struct pool *pool;
    pthread_mutex_t lock; /* of the tie between a waiter and its lookup, which either side may cut */
};

/* A job that is looked for on disk, or an earlier artifact whose parts it may take over. */
struct lookup {
    struct cache_read read; /* aside: of the earlier artifact */
    struct dispatch *dispatch;
    struct job *job;       /* owned */
    struct waiter *waiter; /* NULL once it has been cancelled */
};

struct dispatch *dispatch_new(const struct settings *s, struct metrics *m, struct budget *b, struct cache *cache,
                              struct pool *pool) {
    struct dispatch *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    *d = (struct dispatch){.settings = s, .metrics = m, .budget = b, .cache = cache, .pool = pool};
    pthread_mutex_init(&d->lock, NULL);
    return d;
}

void dispatch_free(struct dispatch *d) {
    if (d)
        pthread_mutex_destroy(&d->lock);
    free(d);
}

/* Calls the waiter's done() with RESULT, which is *taken*. */
static void answer_waiter(struct waiter *w, struct result *result) {
    w->done(w, result);
    result_unref(result);
}

void dispatch_answered(struct dispatch *d, struct job *job, struct result *result) {
    cache_remember(d->cache, job);
    if (!verify_hit(d->settings, d->metrics, d->pool, job, result))
        job_free(job);
}

/* Submits a job that the cache does not have, or whose disk IS_LATE, to the pool; it is *taken*. SM_OK: *KNOWN is the
 * answer, *new*, if it is a failure known without a compile; otherwise the pool will call done(). Any other status:
 * refused. */
static sm_status compile_in_pool(struct dispatch *d, struct job *job, struct waiter *w, int is_late,
                                 struct result **known) {
    *known = NULL;
    if (job->options.cache == SM_CACHING_ONLY) {
        job_free(job);
        *known = is_late ? result_failure(SM_CACHE_UNAVAILABLE, "")
                         : result_failure(SM_ARTIFACT_NOT_FOUND,
                                          "This has not been compiled, and cache=only asks for no compile");
        return *known ? SM_OK : SM_NOMEM;
    }
    if (job->options.explain)
        cache_explain_miss(d->cache, job, w->missed, sizeof w->missed);
    return pool_submit(d->pool, job, w, known);
}

/* Looks in memory for the artifact whose parts the job may take over. 1: done, whether it was there or not; 0: it may
 * be on disk, under *KEY. Without it everything is compiled. */
static int find_earlier(struct dispatch *d, struct job *job, uint64_t client, struct sm_key *key) {
    const char *text = job->options.incremental;
    struct sm_key name;
    if (job->options.split != SM_SPLIT_FUNCTIONS || job->options.cache == SM_CACHING_ONLY ||
        !sm_key_read(text, strlen(text), &name) || job_place(&job->space, &name, key) != SM_OK)
        return 1;
    struct result *earlier = cache_find_aside(d->cache, key);
    if (!earlier)
        return !cache_may_read(d->cache, key);
    job_take_earlier(job, earlier, d->budget, client);
    result_drop(earlier);
    return 1;
}

/* The disk thread's callback: answers the waiter, or goes on to the earlier artifact or to the pool. Until the pool
 * has the job, dispatch_cancel cuts the tie between lookup and waiter; after that it cancels in the pool. The lock
 * separates the two. */
static void on_read(struct cache_read *read, struct result *result) {
    struct lookup *l = container_of(read, struct lookup, read);
    struct dispatch *d = l->dispatch;
    struct job *job = l->job;
    struct result *answer = NULL;
    const struct sm_key key = job->key;
    sm_status s = SM_OK;
    int refused = !read->aside && read->refused != SM_OK;
    if (!read->aside && !result && !refused && !find_earlier(d, job, read->client, &read->key)) {
        read->aside = 1;
        read->claims = 0;
        cache_read(d->cache, read);
        return;
    }
    if (read->aside && result) {
        job_take_earlier(job, result, d->budget, read->client);
        result = NULL;
    }
    pthread_mutex_lock(&d->lock);
    struct waiter *w = l->waiter;
    if (w) {
        w->lookup = NULL;
        if (refused)
            s = read->refused;
        else if (!result)
            s = compile_in_pool(d, job, w, read->is_late, &answer);
    }
    pthread_mutex_unlock(&d->lock);
    enum from from = read->from;
    free(l);
    if (!result && (!w || s != SM_OK))
        cache_release(d->cache, &key);
    if (!w || refused)
        job_free(job);
    if (!w) {
        return;
    } else if (result) {
        w->from = from;
        if (from == FROM_SHARED || from == FROM_STORE)
            cache_keep_shared(d->cache, job, result);
        dispatch_answered(d, job, result);
        w->done(w, result);
    } else if (s != SM_OK || answer) {
        answer_waiter(w, answer ? answer : result_failure(s, refused ? budget_refusal(s) : ""));
    }
}

/* Begins to read KEY from disk for the job; ASIDE: it is the earlier artifact's. 0, and nothing is changed, if out of
 * memory. */
static int look_on_disk(struct dispatch *d, struct job *job, struct waiter *w, const struct sm_key *key, int aside) {
    struct lookup *l = calloc(1, sizeof *l);
    if (!l)
        return 0;
    l->dispatch = d;
    l->job = job;
    l->waiter = w;
    l->read.done = on_read;
    l->read.key = *key;
    l->read.client = w->client;
    l->read.aside = aside;
    l->read.claims = !aside && job->keep && job->options.cache != SM_CACHING_ONLY;
    pthread_mutex_lock(&d->lock);
    w->lookup = l;
    pthread_mutex_unlock(&d->lock);
    cache_read(d->cache, &l->read);
    return 1;
}

/* Clears what dispatch sets in the waiter. */
static void init_waiter(struct waiter *w) {
    w->job = NULL;
    w->lookup = NULL;
    w->queue_us = 0;
    w->ran_ns = 0;
    w->missed[0] = 0;
}

sm_status dispatch_miss(struct dispatch *d, struct job *job, struct waiter *w) {
    struct result *answer;
    struct sm_key earlier;
    job->keep = job->options.cache != SM_CACHING_BYPASS;
    init_waiter(w);
    if (job_takes_kept(job) && cache_may_read(d->cache, &job->key) && look_on_disk(d, job, w, &job->key, 0))
        return SM_OK;
    if (!find_earlier(d, job, w->client, &earlier) && look_on_disk(d, job, w, &earlier, 1))
        return SM_OK;
    sm_status s = compile_in_pool(d, job, w, 0, &answer);
    if (answer)
        answer_waiter(w, answer);
    return s;
}

sm_status dispatch_submit(struct dispatch *d, struct job *job, struct waiter *w) {
    struct found found;
    if (!job_takes_kept(job) || !cache_find(d->cache, &job->key, CACHE_NO_KIND, w->client, &found))
        return dispatch_miss(d, job, w);
    if (found.refused != SM_OK) {
        job_free(job);
        return found.refused;
    }
    init_waiter(w);
    w->from = FROM_MEMORY;
    dispatch_answered(d, job, found.result);
    answer_waiter(w, found.result);
    return SM_OK;
}

int dispatch_cancel(struct dispatch *d, struct waiter *w) {
    pthread_mutex_lock(&d->lock);
    struct lookup *l = w->lookup;
    if (l)
        l->waiter = NULL;
    w->lookup = NULL;
    pthread_mutex_unlock(&d->lock);
    return l || pool_cancel(d->pool, w);
}
