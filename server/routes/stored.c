/* stored.c - see stored.h. Finished results make room for others: first those that were fetched, then the oldest of the
 * client that has most. One lock covers the table and the lists of polls; it is never held while the pool is called.
 */
#include "stored.h"

#include "answer.h"
#include "cache.h"
#include "clock.h"
#include "container.h"
#include "context.h"
#include "dispatch.h"
#include "hash.h"
#include "queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What one client has stored. */
struct holder {
    struct hash_node node; /* the hash is the client's number */
    int waiting, done;
};

struct stored {
    struct waiter waiter;
    struct holder *holder;
    struct stored *older, *newer; /* among those that are done */
    size_t bytes;                 /* of its result */
    int fetched;                  /* boolean: its result was given to somebody */
    struct jobs *jobs;
    struct hash_node node;
    struct stored *next;      /* among those that sweep_jobs takes out */
    char id[JOB_ID_TEXT];     /* 128 random bits: other clients cannot guess it */
    struct sm_key key, name;  /* the job's */
    struct result *result;    /* owned reference; NULL while it waits or runs */
    struct poll *polls;       /* requests that wait for it */
    uint64_t forget_ns;       /* once done */
    struct traces *traces;    /* NULL: nobody is told */
    struct trace_place place; /* the request's that began it */
    uint64_t began_ns;
    int refs;   /* the table's, the pool's until it has called done(), and a deleter's */
    int stored; /* boolean: in the table */
};

struct jobs {
    struct smd *smd;
    pthread_mutex_t lock;
    struct hash by_id;
    struct hash holders;            /* by client */
    struct stored *oldest, *newest; /* of those that are done */
    size_t bytes;                   /* of their results together */
    int waiting, done, closed;
};

static int make_room(void *jobs, uint64_t client, int is_share);

struct jobs *jobs_new(struct smd *smd) {
    struct jobs *j = calloc(1, sizeof *j);
    if (j) {
        j->smd = smd;
        pthread_mutex_init(&j->lock, NULL);
        budget_on_refusal(smd->budget, make_room, j);
    }
    return j;
}

/* A hash of the id: its first digits, as ids are random. */
static uint64_t hash_of(const char *id) {
    uint64_t h = 0;
    for (int i = 0; id[i] && i < 16; i++)
        h = h << 4 ^ (unsigned char)id[i];
    return h;
}

/* The stored job of this id; NULL if there is none. Under the lock. */
static struct stored *find_stored(struct jobs *j, const char *id) {
    struct hash_node *n = hash_find(&j->by_id, hash_of(id));
    while (n && strcmp(container_of(n, struct stored, node)->id, id) != 0)
        n = hash_find_next(n);
    return n ? container_of(n, struct stored, node) : NULL;
}

/* The client's entry, made if there is none; NULL if out of memory. Under the lock. */
static struct holder *hold_client(struct jobs *j, uint64_t client) {
    struct hash_node *n = hash_find(&j->holders, client);
    if (n)
        return container_of(n, struct holder, node);
    struct holder *h = calloc(1, sizeof *h);
    if (h && hash_add(&j->holders, &h->node, client))
        return h;
    free(h);
    return NULL;
}

/* Forgets the client if it has no jobs. Under the lock. */
static void release_client(struct jobs *j, struct holder *h) {
    if (h->waiting || h->done)
        return;
    hash_remove(&j->holders, &h->node);
    free(h);
}

/* The bytes that a job with a result holds. */
static size_t stored_bytes(const struct stored *s) {
    return sizeof *s + sizeof *s->result + result_bytes(s->result);
}

/* Adds a job with a result to the list of those, as the newest. Under the lock. */
static void add_to_done(struct jobs *j, struct stored *s) {
    s->bytes = stored_bytes(s);
    s->older = j->newest;
    *(j->newest ? &j->newest->newer : &j->oldest) = s;
    j->newest = s;
    j->bytes += s->bytes;
    j->done++;
    s->holder->done++;
}

/* Removes a job from the list of those with results. Under the lock. */
static void remove_from_done(struct jobs *j, struct stored *s) {
    *(s->older ? &s->older->newer : &j->oldest) = s->newer;
    *(s->newer ? &s->newer->older : &j->newest) = s->older;
    s->older = s->newer = NULL;
    j->bytes -= s->bytes;
    j->done--;
    s->holder->done--;
}

/* Takes the job out of the table and all counts. Its references stay. Under the lock. */
static void unlink_job(struct jobs *j, struct stored *s) {
    hash_remove(&j->by_id, &s->node);
    if (s->result) {
        remove_from_done(j, s);
    } else {
        j->waiting--;
        s->holder->waiting--;
    }
    release_client(j, s->holder);
    s->holder = NULL;
    s->stored = 0;
}

/* Drops REFS references to the job, and frees it with the last. Under the lock. */
static void drop_locked(struct stored *s, int refs) {
    s->refs -= refs;
    if (s->refs > 0)
        return;
    result_unref(s->result);
    free(s);
}

/* The job that makes room first: the oldest that was fetched, else the oldest of the client that has most; NULL if
 * there is none. Under the lock. */
static struct stored *first_to_go(const struct jobs *j) {
    struct stored *first = j->oldest;
    for (struct stored *s = j->oldest; s; s = s->newer) {
        if (s->fetched)
            return s;
        if (s->holder->done > first->holder->done)
            first = s;
    }
    return first;
}

/* Forgets jobs with results until their number and bytes are within the bounds. Under the lock. */
static void evict_done(struct jobs *j) {
    const struct settings *set = &j->smd->settings;
    while (j->done > set->queue_jobs || (j->done > 1 && j->bytes > (size_t)set->queue_mib << 20)) {
        struct stored *s = first_to_go(j);
        unlink_job(j, s);
        drop_locked(s, 1);
    }
}

/* The job of the client that makes room first: the oldest that was fetched, else the oldest; NULL if there is none.
 * Under the lock. */
static struct stored *first_of_client(const struct jobs *j, uint64_t client) {
    struct stored *first = NULL;
    for (struct stored *s = j->oldest; s; s = s->newer) {
        if (s->holder->node.hash != client)
            continue;
        if (s->fetched)
            return s;
        first = first ? first : s;
    }
    return first;
}

/* The budget's callback: forgets a job with a result, of this client if it is its share that is used up. */
static int make_room(void *jobs, uint64_t client, int is_share) {
    struct jobs *j = jobs;
    pthread_mutex_lock(&j->lock);
    struct stored *s = is_share ? first_of_client(j, client) : first_to_go(j);
    if (s) {
        unlink_job(j, s);
        drop_locked(s, 1);
    }
    pthread_mutex_unlock(&j->lock);
    return s != NULL;
}

/* Drops REFS references to the job, and frees it with the last. */
static void drop_refs(struct stored *s, int refs) {
    struct jobs *j = s->jobs;
    pthread_mutex_lock(&j->lock);
    drop_locked(s, refs);
    pthread_mutex_unlock(&j->lock);
}

/* Takes the waiting requests off the job, each with its result, and gives them as a list. Under the lock. */
static struct poll *take_polls(struct stored *s) {
    struct poll *list = s->polls;
    for (struct poll *p = list; p; p = p->next) {
        p->job = NULL;
        p->result = s->result ? result_ref(s->result) : NULL;
    }
    s->polls = NULL;
    return list;
}

/* Lets a list of requests that have waited for jobs go on. */
static void answer_polls(struct poll *list) {
    while (list) {
        struct poll *p = list;
        list = p->next; /* the request may be gone once it is ready */
        answer_when_ready(p->request, p->result, p->answer);
    }
}

/* The dispatch's callback, on the pool's thread or the one that submitted: keeps the result, and lets requests that
 * wait for it go on. */
static void on_stored_done(struct waiter *w, struct result *result) {
    struct stored *s = container_of(w, struct stored, waiter);
    struct jobs *j = s->jobs;
    int refs = 1;
    if (s->traces) {
        char key[SM_KEY_TEXT];
        sm_key_text(&s->name, key);
        request_tell_part(s->traces, &s->place, "job", s->began_ns, w, result, key);
    }
    pthread_mutex_lock(&j->lock);
    s->result = result ? result_ref(result) : NULL;
    s->forget_ns = sm_clock_ns() + (uint64_t)j->smd->settings.job_ttl_s * 1000000000u;
    struct poll *polls = take_polls(s);
    if (s->stored && result) {
        j->waiting--;
        s->holder->waiting--;
        s->fetched = polls != NULL;
        add_to_done(j, s);
        evict_done(j);
    } else if (s->stored) { /* out of memory: it is forgotten */
        unlink_job(j, s);
        refs++;
    }
    drop_locked(s, refs);
    pthread_mutex_unlock(&j->lock);
    answer_polls(polls);
}

/* What is to be said to one more job of the client's. */
static sm_status judge_job(const struct jobs *j, const struct holder *h) {
    if ((size_t)j->waiting >= queue_places((size_t)j->smd->settings.queue_jobs, (size_t)h->waiting))
        return SM_OVERLOADED;
    return h->waiting < j->smd->settings.client_jobs ? SM_OK : SM_TOO_MANY_REQUESTS;
}

/* Those that are done make room when this one is. */
struct stored *jobs_reserve(struct jobs *j, uint64_t client, const struct job *job, sm_status *why) {
    struct stored *s = calloc(1, sizeof *s);
    *why = SM_NOMEM;
    if (!s || !job_id_new(s->id)) {
        free(s);
        return NULL;
    }
    s->jobs = j;
    s->key = job->key;
    s->name = job->name;
    pthread_mutex_lock(&j->lock);
    if (j->closed)
        *why = SM_DRAINING;
    else
        s->holder = hold_client(j, client);
    sm_status judged = s->holder ? judge_job(j, s->holder) : *why;
    if (judged != SM_OK)
        *why = judged;
    int room = judged == SM_OK && hash_add(&j->by_id, &s->node, hash_of(s->id));
    if (room) {
        s->holder->waiting++;
        s->refs = 2;
        s->stored = 1;
        j->waiting++;
    } else if (s->holder) {
        release_client(j, s->holder);
    }
    pthread_mutex_unlock(&j->lock);
    if (room)
        return s;
    free(s);
    return NULL;
}

void jobs_abandon(struct stored *s) {
    struct jobs *j = s->jobs;
    pthread_mutex_lock(&j->lock);
    if (s->stored)
        unlink_job(j, s);
    drop_locked(s, 2);
    pthread_mutex_unlock(&j->lock);
}

const char *jobs_id(const struct stored *s) {
    return s->id;
}

void jobs_trace(struct stored *s, struct request *r) {
    request_place(r);
    s->traces = r->is_traced ? r->service->traces : NULL;
    s->place = r->place;
    s->began_ns = sm_clock_ns();
}

sm_status jobs_start(struct stored *s, uint64_t client, struct job *job) {
    s->waiter.done = on_stored_done;
    s->waiter.client = client;
    s->waiter.deadline_ns = job_deadline_ns(job);
    s->waiter.watch_fd = -1;
    sm_status status = dispatch_submit(s->jobs->smd->dispatch, job, &s->waiter);
    if (status != SM_OK)
        jobs_abandon(s);
    return status;
}

enum job_state jobs_look(struct jobs *j, struct poll *p) {
    enum job_state state = JOB_UNKNOWN;
    pthread_mutex_lock(&j->lock);
    struct stored *s = find_stored(j, p->id);
    if (s) {
        p->request->key = s->key;
        sm_key_text(&s->name, p->request->key_text);
        p->result = s->result ? result_ref(s->result) : NULL;
        s->fetched |= s->result != NULL;
        state = s->result || p->wait_s <= 0 || j->closed ? JOB_SEEN : JOB_AWAITED;
    }
    if (state == JOB_SEEN && p->result && answer_is_long(p->result, p->answer))
        state = JOB_RENDERED;
    if (state == JOB_AWAITED) {
        p->job = s;
        p->until_ns = sm_clock_ns() + (uint64_t)p->wait_s * 1000000000u;
        p->next = s->polls;
        s->polls = p;
        request_wait(p->request); /* under the lock: who answers it has to take it first */
    }
    pthread_mutex_unlock(&j->lock);
    if (state == JOB_RENDERED) {
        request_wait(p->request);
        answer_when_ready(p->request, p->result, p->answer);
    }
    return state;
}

void jobs_charge(struct jobs *j, const char *id) {
    pthread_mutex_lock(&j->lock);
    struct stored *s = find_stored(j, id);
    if (s && s->result) {
        size_t bytes = stored_bytes(s);
        j->bytes += bytes - s->bytes;
        s->bytes = bytes;
        evict_done(j);
    }
    pthread_mutex_unlock(&j->lock);
}

int jobs_remove(struct jobs *j, const char *id) {
    struct poll *polls = NULL;
    pthread_mutex_lock(&j->lock);
    struct stored *s = find_stored(j, id);
    if (s) {
        s->refs++; /* on_stored_done() may run meanwhile, and drop the waiter's */
        unlink_job(j, s);
        polls = take_polls(s);
    }
    pthread_mutex_unlock(&j->lock);
    if (!s)
        return 0;
    int cancelled = dispatch_cancel(j->smd->dispatch, &s->waiter);
    drop_refs(s, cancelled
                     ? 3
                     : 2); /* the table's and this function's; the waiter's too if on_stored_done() will not come */
    answer_polls(polls);
    return 1;
}

/* Moves the waiting requests whose time is up from the job to LIST. Under the lock. */
static void take_expired(struct stored *s, uint64_t now, struct poll **list) {
    for (struct poll **at = &s->polls; *at;) {
        struct poll *p = *at;
        if (p->until_ns > now) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        p->job = NULL;
        p->next = *list;
        *list = p;
    }
}

/* Lets requests that have waited until POLL_TIME go on, and forgets results whose time is up at NOW. */
static void sweep_jobs(struct jobs *j, uint64_t now, uint64_t poll_time) {
    struct poll *expired = NULL;
    struct stored *old = NULL;
    pthread_mutex_lock(&j->lock);
    for (struct hash_node *n = hash_first(&j->by_id), *next; n; n = next) {
        struct stored *s = container_of(n, struct stored, node);
        next = hash_next(&j->by_id, n);
        take_expired(s, poll_time, &expired);
        if (!s->result || s->forget_ns > now)
            continue;
        unlink_job(j, s);
        s->next = old;
        old = s;
    }
    pthread_mutex_unlock(&j->lock);
    answer_polls(expired);
    while (old) {
        struct stored *s = old;
        old = s->next;
        drop_refs(s, 1);
    }
}

void jobs_tick(struct jobs *j) {
    uint64_t now = sm_clock_ns();
    sweep_jobs(j, now, now);
}

void jobs_close(struct jobs *j) {
    pthread_mutex_lock(&j->lock);
    j->closed = 1;
    pthread_mutex_unlock(&j->lock);
    sweep_jobs(j, sm_clock_ns(), UINT64_MAX);
}

void jobs_free(struct jobs *j) {
    if (!j)
        return;
    for (struct hash_node *n = hash_first(&j->by_id), *next; n; n = next) {
        struct stored *s = container_of(n, struct stored, node);
        next = hash_next(&j->by_id, n);
        result_unref(s->result);
        free(s);
    }
    for (struct hash_node *n = hash_first(&j->holders), *next; n; n = next) {
        next = hash_next(&j->holders, n);
        free(container_of(n, struct holder, node));
    }
    budget_on_refusal(j->smd->budget, NULL, NULL);
    hash_free(&j->by_id);
    hash_free(&j->holders);
    pthread_mutex_destroy(&j->lock);
    free(j);
}
