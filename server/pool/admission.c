/* admission.c - see admission.h. */
#include "admission.h"

#include <stdlib.h>
#include <string.h>

enum { WAITING_MAX = 1024, SHARE = 8 }; /* of queue_mib: one part in so many */

void admission_init(struct admission *a, const struct settings *s, struct metrics *m) {
    memset(a, 0, sizeof *a);
    TAILQ_INIT(&a->list);
    a->bytes_max = ((size_t)s->queue_mib << 20) / SHARE;
    a->metrics = m;
}

static void note_waiting(const struct admission *a) {
    metric_set(a->metrics, METRIC_ADMISSION_WAITING, (long long)(a->waiting + a->running));
}

/* 1 if one of this key waits or runs. */
static int has_key(const struct admission *a, const struct sm_key *key) {
    const struct confirmation *c;
    TAILQ_FOREACH(c, &a->list, link)
    if (sm_key_equal(&c->job->key, key))
        return 1;
    return 0;
}

/* Adds it; 0 if there is no room. */
static int add(struct admission *a, struct job *job, struct result *first, uint64_t ticket, pid_t pid) {
    size_t bytes = job->input_len + result_bytes(first);
    struct confirmation *c =
        a->waiting < WAITING_MAX && bytes <= a->bytes_max - a->bytes ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return 0;
    c->job = job;
    c->first = result_ref(first);
    c->ticket = ticket;
    c->pid = pid;
    c->bytes = bytes;
    TAILQ_INSERT_TAIL(&a->list, c, link);
    a->waiting++;
    a->bytes += bytes;
    note_waiting(a);
    return 1;
}

void admission_add(struct admission *a, struct job *job, struct result *first, uint64_t ticket, pid_t pid) {
    int is_there = has_key(a, &job->key);
    if (!is_there && add(a, job, first, ticket, pid))
        return;
    if (!is_there)
        metric_add(a->metrics, METRIC_ADMISSION_DROPPED, 1);
    job_free(job);
}

struct confirmation *admission_next(struct admission *a) {
    struct confirmation *c;
    TAILQ_FOREACH(c, &a->list, link)
    if (!c->is_running)
        return c;
    return NULL;
}

void admission_begin(struct admission *a, struct confirmation *c) {
    c->is_running = 1;
    a->waiting--;
    a->running++;
}

void admission_put_back(struct admission *a, struct confirmation *c) {
    c->is_running = 0;
    a->waiting++;
    a->running--;
    TAILQ_REMOVE(&a->list, c, link);
    TAILQ_INSERT_TAIL(&a->list, c, link);
}

static int is_same(sm_slice a, sm_slice b) {
    return a.len == b.len && (!a.len || memcmp(a.data, b.data, a.len) == 0);
}

int admission_agrees(const struct confirmation *c, struct result *second, struct result **kept) {
    struct result *first = c->first;
    int both_have_parts = first->kept.data && second->kept.data;
    /* The first has none if somebody who wants it kept joined the job while it ran. */
    *kept = first->status == SM_OK && !first->kept.data ? first : second;
    return first->status == second->status && is_same(first->bytes, second->bytes) &&
           (!both_have_parts || is_same(first->kept, second->kept));
}

void admission_end(struct admission *a, struct confirmation *c, enum metric outcome) {
    TAILQ_REMOVE(&a->list, c, link);
    a->waiting -= !c->is_running;
    a->running -= c->is_running != 0;
    a->bytes -= c->bytes;
    metric_add(a->metrics, outcome, 1);
    note_waiting(a);
    result_unref(c->first);
    job_free(c->job);
    free(c);
}

void admission_free(struct admission *a) {
    while (!TAILQ_EMPTY(&a->list))
        admission_end(a, TAILQ_FIRST(&a->list), METRIC_ADMISSION_DROPPED);
}
