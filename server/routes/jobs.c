/* jobs.c - see jobs.h. Finished results make room for others: those that were fetched first, then the oldest of whoever
 * has most. One lock covers the table and the lists of polls; it is never held while the pool is called.
 */
#include "jobs.h"

#include "accept.h"
#include "answer.h"
#include "cache.h"
#include "clock.h"
#include "compile.h"
#include "container.h"
#include "context.h"
#include "dispatch.h"
#include "problem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { ID_TEXT = 33, CHAINS = 1024, WAIT_MAX_S = 60 };

/* What one client has stored. */
struct holder {
    uint64_t client;
    int waiting, done;
    struct holder *next; /* in its chain */
};

struct stored {
    struct waiter waiter;
    struct holder *holder;
    struct stored *older, *newer; /* among those that are done */
    size_t bytes;                 /* of its result */
    int fetched;                  /* boolean: its result was given to somebody */
    struct jobs *jobs;
    struct stored *next; /* in its chain */
    char id[ID_TEXT];    /* 128 random bits: whoever does not know it cannot guess it */
    struct sm_key key;
    struct result *result; /* owned reference; NULL while it waits or runs */
    struct poll *polls;    /* requests that wait for it */
    uint64_t forget_ns;    /* once done */
    int refs;              /* the table's, the pool's until it has called done(), and a deleter's */
    int stored;            /* boolean: in the table */
};

/* A GET that waits. */
struct poll {
    struct request *request;
    struct stored *job; /* NULL once it has been answered */
    struct poll *next;
    uint64_t until_ns;
    int answer; /* index into answer_types */
    int wait_s;
    struct result *result; /* owned reference */
    char id[ID_TEXT];
};

struct jobs {
    struct smd *smd;
    pthread_mutex_t lock;
    struct stored *chain[CHAINS];
    struct holder *holders[CHAINS]; /* hash chains by client */
    struct stored *oldest, *newest; /* of those that are done */
    size_t bytes;                   /* of their results together */
    int waiting, done, closed;
};

struct jobs *jobs_new(struct smd *smd) {
    struct jobs *j = calloc(1, sizeof *j);
    if (j) {
        j->smd = smd;
        pthread_mutex_init(&j->lock, NULL);
    }
    return j;
}

static struct stored **chain_of(struct jobs *j, const char *id) {
    unsigned h = 0;
    for (int i = 0; id[i] && i < 8; i++)
        h = h * 31 + (unsigned char)id[i];
    return &j->chain[h % CHAINS];
}

static struct stored *find_stored(struct jobs *j, const char *id) {
    struct stored *s = *chain_of(j, id);
    while (s && strcmp(s->id, id) != 0)
        s = s->next;
    return s;
}

/* The holder of this client, made if there is none; NULL when out of memory. */
static struct holder *hold_client(struct jobs *j, uint64_t client) {
    struct holder **chain = &j->holders[client % CHAINS], *h = *chain;
    while (h && h->client != client)
        h = h->next;
    if (h || !(h = calloc(1, sizeof *h)))
        return h;
    *h = (struct holder){.client = client, .next = *chain};
    *chain = h;
    return h;
}

static void release_client(struct jobs *j, struct holder *h) {
    if (h->waiting || h->done)
        return;
    struct holder **at = &j->holders[h->client % CHAINS];
    while (*at != h)
        at = &(*at)->next;
    *at = h->next;
    free(h);
}

static size_t bytes_of(const struct stored *s) {
    const struct rendered *json = atomic_load(&s->result->json);
    return sizeof *s + sizeof *s->result + s->result->bytes.len + (json ? json->len : 0);
}

static void enter_done(struct jobs *j, struct stored *s) {
    s->bytes = bytes_of(s);
    s->older = j->newest;
    *(j->newest ? &j->newest->newer : &j->oldest) = s;
    j->newest = s;
    j->bytes += s->bytes;
    j->done++;
    s->holder->done++;
}

static void leave_done(struct jobs *j, struct stored *s) {
    *(s->older ? &s->older->newer : &j->oldest) = s->newer;
    *(s->newer ? &s->newer->older : &j->newest) = s->older;
    s->older = s->newer = NULL;
    j->bytes -= s->bytes;
    j->done--;
    s->holder->done--;
}

static void unlink_job(struct jobs *j, struct stored *s) {
    struct stored **at = chain_of(j, s->id);
    while (*at && *at != s)
        at = &(*at)->next;
    if (*at)
        *at = s->next;
    if (s->result) {
        leave_done(j, s);
    } else {
        j->waiting--;
        s->holder->waiting--;
    }
    release_client(j, s->holder);
    s->holder = NULL;
    s->stored = 0;
}

static void drop_locked(struct stored *s, int refs) {
    s->refs -= refs;
    if (s->refs > 0)
        return;
    result_unref(s->result);
    free(s);
}

/* The first to make room: the oldest that was fetched, else the oldest of the client that has most. NULL: none. */
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

static void make_room(struct jobs *j) {
    const struct settings *set = &j->smd->settings;
    while (j->done > set->queue_jobs || (j->done > 1 && j->bytes > (size_t)set->queue_mib << 20)) {
        struct stored *s = first_to_go(j);
        unlink_job(j, s);
        drop_locked(s, 1);
    }
}

static void drop_refs(struct stored *s, int refs) {
    struct jobs *j = s->jobs;
    pthread_mutex_lock(&j->lock);
    drop_locked(s, refs);
    pthread_mutex_unlock(&j->lock);
}

/* Takes the polls of a job off it, each with its result. */
static struct poll *take_polls(struct stored *s) {
    struct poll *list = s->polls;
    for (struct poll *p = list; p; p = p->next) {
        p->job = NULL;
        p->result = s->result ? result_ref(s->result) : NULL;
    }
    s->polls = NULL;
    return list;
}

static void answer_polls(struct poll *list) {
    while (list) {
        struct poll *p = list;
        list = p->next; /* the request may be gone once it is ready */
        request_ready(p->request);
    }
}

/* From the pool's thread, or from the one that submitted. */
static void on_done(struct waiter *w, struct result *result) {
    struct stored *s = container_of(w, struct stored, waiter);
    struct jobs *j = s->jobs;
    int refs = 1;
    pthread_mutex_lock(&j->lock);
    s->result = result ? result_ref(result) : NULL;
    s->forget_ns = sm_clock_ns() + (uint64_t)j->smd->settings.job_ttl_s * 1000000000u;
    struct poll *polls = take_polls(s);
    if (s->stored && result) {
        j->waiting--;
        s->holder->waiting--;
        s->fetched = polls != NULL;
        enter_done(j, s);
        make_room(j);
    } else if (s->stored) { /* out of memory: it is forgotten */
        unlink_job(j, s);
        refs++;
    }
    drop_locked(s, refs);
    pthread_mutex_unlock(&j->lock);
    answer_polls(polls);
}

static int new_id(char id[ID_TEXT]) {
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return 0;
    for (int i = 0; i < 16; i++)
        sprintf(id + 2 * i, "%02x", bytes[i]);
    return 1;
}

/* A stored job in the table; NULL, and why, if too many wait. Those that are done make room when this one is. */
static struct stored *store_job(struct jobs *j, uint64_t client, const struct sm_key *key, sm_status *why) {
    struct stored *s = calloc(1, sizeof *s);
    *why = SM_OVERLOADED;
    if (!s || !new_id(s->id)) {
        free(s);
        return NULL;
    }
    s->jobs = j;
    s->key = *key;
    pthread_mutex_lock(&j->lock);
    s->holder = !j->closed && j->waiting < j->smd->settings.queue_jobs ? hold_client(j, client) : NULL;
    int room = s->holder && s->holder->waiting < j->smd->settings.client_jobs;
    if (s->holder && !room)
        *why = SM_TOO_MANY_REQUESTS;
    if (room) {
        s->holder->waiting++;
        struct stored **chain = chain_of(j, s->id);
        s->next = *chain;
        *chain = s;
        s->refs = 2;
        s->stored = 1;
        j->waiting++;
    }
    pthread_mutex_unlock(&j->lock);
    if (room)
        return s;
    free(s);
    return NULL;
}

static void reply_state(struct request *r, int http, const char *id, const char *state) {
    sm_buf_printf(&r->reply.text, "{\"id\":\"%s\",\"state\":\"%s\"}\n", id, state);
    r->reply.http = http;
    reply_text(&r->reply, "application/json");
}

static void forget(struct stored *s) {
    struct jobs *j = s->jobs;
    pthread_mutex_lock(&j->lock);
    if (s->stored)
        unlink_job(j, s);
    drop_locked(s, 2);
    pthread_mutex_unlock(&j->lock);
}

/* JOB is *taken*. If it is refused, the stored one is forgotten. */
static sm_status start(struct stored *s, uint64_t client, struct job *job) {
    s->waiter.done = on_done;
    s->waiter.client = client;
    s->waiter.deadline_ns = job_deadline_ns(job);
    s->waiter.watch_fd = -1;
    sm_status status = dispatch_submit(s->jobs->smd->dispatch, job, &s->waiter);
    if (status != SM_OK)
        forget(s);
    return status;
}

struct stored *jobs_reserve(struct jobs *j, uint64_t client, const struct sm_key *key) {
    sm_status why;
    return store_job(j, client, key, &why);
}

const char *jobs_id(const struct stored *s) {
    return s->id;
}

void jobs_start(struct stored *s, uint64_t client, struct job *job) {
    start(s, client, job);
}

void jobs_abandon(struct stored *s) {
    forget(s);
}

/* Not a member of the request's wait: the connection is made ready at once. */
static sm_status submit_and_store(struct request *r) {
    sm_status why;
    struct stored *s = store_job(r->smd->jobs, r->client, &r->job->key, &why);
    if (!s) {
        problem_reply(r, why,
                      why == SM_OVERLOADED ? "The server keeps as many jobs as it may"
                                           : "This client has as many jobs waiting as it may",
                      (sm_slice){0}, NULL);
        return why;
    }
    reply_state(r, 202, s->id, "waiting");
    reply_header(&r->reply, "Location", "/v1/jobs/%s", s->id);
    struct job *job = r->job;
    r->job = NULL; /* taken by the pool */
    sm_status status = start(s, r->client, job);
    if (status == SM_OK) {
        request_ready(r);
        return SM_OK;
    }
    r->reply.headers = 0;
    problem_reply(r, status, NULL, (sm_slice){0}, NULL);
    return status;
}

int jobs_post(struct request *r) {
    return compile_submit(r, submit_and_store);
}

void jobs_post_answer(struct request *r) {
    if (r->key_text[0])
        reply_header(&r->reply, "X-Smd-Key", "%s", r->key_text);
}

static int on_wait(void *arg, const char *name, const char *value, size_t len) {
    struct poll *p = arg;
    char *end;
    long wait = value && len ? strtol(value, &end, 10) : -1;
    if (strcmp(name, "wait") != 0) {
        problem_reply(p->request, SM_UNKNOWN_OPTION, "This route takes the option 'wait' alone", (sm_slice){0}, name);
        return (int)SM_UNKNOWN_OPTION;
    }
    if (wait < 0 || *end || wait > WAIT_MAX_S) {
        problem_reply(p->request, SM_INVALID_OPTION, "'wait' takes seconds, an integer from 0 to 60", (sm_slice){0},
                      "wait");
        return (int)SM_INVALID_OPTION;
    }
    p->wait_s = (int)wait;
    return 0;
}

sm_status jobs_get_begin(struct request *r) {
    struct poll *p = calloc(1, sizeof *p);
    r->state = p;
    if (!p) {
        problem_reply(r, SM_NOMEM, NULL, (sm_slice){0}, NULL);
        return SM_NOMEM;
    }
    p->request = r;
    snprintf(p->id, sizeof p->id, "%s", r->path + strlen("/v1/jobs/"));
    p->answer = accept_choose(request_header(r, "Accept"), answer_types);
    sm_status s = (sm_status)request_query(r, on_wait, p);
    if (s != SM_OK || p->answer >= 0)
        return s;
    problem_reply(r, SM_NOT_ACCEPTABLE, "The answer can be what POST /v1/compile gives", (sm_slice){0}, NULL);
    return SM_NOT_ACCEPTABLE;
}

int jobs_get(struct request *r) {
    struct poll *p = r->state;
    struct jobs *j = r->smd->jobs;
    int wait = 0;
    pthread_mutex_lock(&j->lock);
    struct stored *s = find_stored(j, p->id);
    if (s) {
        r->key = s->key;
        sm_key_text(&r->key, r->key_text);
        p->result = s->result ? result_ref(s->result) : NULL;
        s->fetched |= s->result != NULL;
        wait = !s->result && p->wait_s > 0 && !j->closed;
    }
    if (wait) {
        p->job = s;
        p->until_ns = sm_clock_ns() + (uint64_t)p->wait_s * 1000000000u;
        p->next = s->polls;
        s->polls = p;
        request_wait(r); /* under the lock: who answers it has to take it first */
    }
    pthread_mutex_unlock(&j->lock);
    if (wait)
        return 0;
    if (s)
        jobs_get_answer(r);
    else
        problem_reply(r, SM_JOB_NOT_FOUND, "There is no job of this id, or it has been forgotten", (sm_slice){0},
                      NULL);
    return 1;
}

/* A result that was fetched may have grown by its JSON. */
static void charge_rendered(struct jobs *j, const struct poll *p) {
    pthread_mutex_lock(&j->lock);
    struct stored *s = find_stored(j, p->id);
    if (s && s->result) {
        size_t bytes = bytes_of(s);
        j->bytes += bytes - s->bytes;
        s->bytes = bytes;
        make_room(j);
    }
    pthread_mutex_unlock(&j->lock);
}

void jobs_get_answer(struct request *r) {
    struct poll *p = r->state;
    if (!p->result) {
        reply_state(r, 202, p->id, "waiting");
        return;
    }
    answer_kept(r, p->result, p->answer);
    charge_rendered(r->smd->jobs, p);
    reply_header(&r->reply, "X-Smd-Key", "%s", r->key_text);
}

void jobs_get_drop(struct request *r) {
    struct poll *p = r->state;
    if (p)
        result_unref(p->result);
    free(p);
}

int jobs_delete(struct request *r) {
    struct jobs *j = r->smd->jobs;
    const char *id = r->path + strlen("/v1/jobs/");
    struct poll *polls = NULL;
    pthread_mutex_lock(&j->lock);
    struct stored *s = find_stored(j, id);
    if (s) {
        s->refs++; /* the pool may let go of it meanwhile */
        unlink_job(j, s);
        polls = take_polls(s);
    }
    pthread_mutex_unlock(&j->lock);
    if (!s) {
        problem_reply(r, SM_JOB_NOT_FOUND, "There is no job of this id, or it has been forgotten", (sm_slice){0},
                      NULL);
        return 1;
    }
    int cancelled = dispatch_cancel(r->smd->dispatch, &s->waiter);
    drop_refs(s, cancelled ? 3 : 2);
    answer_polls(polls);
    sm_buf_printf(&r->reply.text, "{\"id\":\"%.32s\",\"state\":\"deleted\"}\n", id);
    reply_text(&r->reply, "application/json");
    return 1;
}

/* Takes the polls whose time is up off a job's list, onto another. */
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

static void sweep_jobs(struct jobs *j, uint64_t now, uint64_t poll_time) {
    struct poll *expired = NULL;
    struct stored *old = NULL;
    pthread_mutex_lock(&j->lock);
    for (size_t i = 0; i < CHAINS; i++)
        for (struct stored *s = j->chain[i], *next; s; s = next) {
            next = s->next;
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
    for (size_t i = 0; i < CHAINS; i++)
        while (j->chain[i]) {
            struct stored *s = j->chain[i];
            j->chain[i] = s->next;
            result_unref(s->result);
            free(s);
        }
    for (size_t i = 0; i < CHAINS; i++)
        while (j->holders[i]) {
            struct holder *h = j->holders[i];
            j->holders[i] = h->next;
            free(h);
        }
    pthread_mutex_destroy(&j->lock);
    free(j);
}
