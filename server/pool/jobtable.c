/* jobtable.c - see jobtable.h. */
#include "jobtable.h"

#include "clock.h"
#include "container.h"
#include "process.h"
#include "worker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

void jobtable_init(struct jobtable *t, const struct settings *s, struct metrics *m, struct budget *b,
                   jobtable_keep *keep, void *keeper, int epoll, unsigned watch_tag, unsigned tag_bits) {
    memset(t, 0, sizeof *t);
    pthread_mutex_init(&t->lock, NULL);
    t->settings = s;
    t->metrics = m;
    t->budget = b;
    t->keep = keep;
    t->keeper = keeper;
    t->needs_second = strcmp(s->admission, "two") == 0;
    t->epoll = epoll;
    t->watch_tag = watch_tag;
    t->tag_bits = tag_bits;
    t->job_us = 10000;
}

void jobtable_free(struct jobtable *t) {
    queue_free(&t->queue);
    hash_free(&t->flights);
    heap_free(&t->deadlines);
    failures_clear(&t->crashes);
    failures_clear(&t->diagnostics);
    slots_free(&t->watched);
    pthread_mutex_destroy(&t->lock);
}

/* The job of this key that waits or runs; NULL if there is none. */
static struct job *find_flight(struct jobtable *t, const struct sm_key *key) {
    struct hash_node *n = hash_find(&t->flights, sm_key_hash(key));
    while (n && !sm_key_equal(&container_of(n, struct job, flight)->key, key))
        n = hash_find_next(n);
    return n ? container_of(n, struct job, flight) : NULL;
}

/* Watches the waiter's socket for its client's leaving; if that fails, the leaving is just not noticed. */
static void watch_client(struct jobtable *t, struct waiter *w) {
    w->watched = w->watch_fd >= 0 ? slots_enter(&t->watched, w) : 0;
    struct epoll_event e = {.events = EPOLLRDHUP, .data.u64 = w->watched << t->tag_bits | t->watch_tag};
    if (!w->watched || epoll_ctl(t->epoll, EPOLL_CTL_ADD, w->watch_fd, &e) == 0)
        return;
    slots_leave(&t->watched, w->watched);
    w->watched = 0;
}

/* Stops watching for the waiter's client, if it was watched. */
static void stop_watching(struct jobtable *t, struct waiter *w) {
    if (!w->watched)
        return;
    epoll_ctl(t->epoll, EPOLL_CTL_DEL, w->watch_fd, NULL);
    slots_leave(&t->watched, w->watched);
    w->watched = 0;
}

/* Adds the waiter to the job, with its deadline. 0 if out of memory. */
static int attach_waiter(struct jobtable *t, struct job *job, struct waiter *w) {
    if (!heap_push(&t->deadlines, &w->deadline, w->deadline_ns))
        return 0;
    w->job = job;
    w->prev = NULL;
    w->next = job->waiters;
    if (w->next)
        w->next->prev = w;
    job->waiters = w;
    watch_client(t, w);
    return 1;
}

/* Takes the waiter off its job, notes how long the job waited, and stops watching its client. */
static void detach_waiter(struct jobtable *t, struct waiter *w) {
    struct job *job = w->job;
    heap_remove(&t->deadlines, &w->deadline);
    if (w->prev)
        w->prev->next = w->next;
    else
        job->waiters = w->next;
    if (w->next)
        w->next->prev = w->prev;
    w->job = NULL;
    w->prev = w->next = NULL;
    if (job->started_ns) {
        w->queue_us = (uint32_t)((job->started_ns - job->arrived_ns) / 1000);
        w->ran_ns = job->started_ns;
    }
    stop_watching(t, w);
}

/* Drops a job that has lost its last waiter: frees it if it waits. 1 if it runs: the pool has to end it. */
static int give_up_job(struct jobtable *t, struct job *job) {
    hash_remove(&t->flights, &job->flight);
    metric_add(t->metrics, METRIC_JOBS_CANCELLED, 1);
    if (job->running)
        return 1;
    queue_remove(&t->queue, &job->item);
    metric_add(t->metrics, METRIC_QUEUE_JOBS, -1);
    job_free(job);
    return 0;
}

/* Adds a new job and its waiter to the queue, within the bounds; the status says which one is reached. */
static sm_status enqueue_job(struct jobtable *t, struct job *job, struct waiter *w, uint64_t now_ns) {
    if (t->closed)
        return SM_DRAINING;
    size_t mine = queue_waiting(&t->queue, w->client);
    if (queue_length(&t->queue) >= queue_places((size_t)t->settings->queue_jobs, mine))
        return SM_OVERLOADED;
    if (mine >= (size_t)t->settings->client_jobs)
        return SM_TOO_MANY_REQUESTS;
    job->item = (struct queue_item){
        .client = w->client, .size = job->input_len, .batch = job->options.priority == SM_PRIORITY_BATCH};
    job->arrived_ns = now_ns;
    if (!queue_push(&t->queue, &job->item, now_ns))
        return SM_NOMEM;
    if (!hash_add(&t->flights, &job->flight, sm_key_hash(&job->key)) || !attach_waiter(t, job, w)) {
        hash_remove(&t->flights, &job->flight);
        queue_remove(&t->queue, &job->item);
        return SM_NOMEM;
    }
    metric_add(t->metrics, METRIC_QUEUE_JOBS, 1);
    return SM_OK;
}

/* The failure that is remembered of the job's key, if the job may be answered by it; NULL otherwise. */
static struct result *find_failure(struct jobtable *t, const struct job *job, uint64_t now_ns) {
    if (!job_takes_kept(job))
        return NULL;
    struct result *r = failures_find(&t->crashes, &job->key, now_ns);
    return r ? r : failures_find(&t->diagnostics, &job->key, now_ns);
}

sm_status jobtable_submit(struct jobtable *t, struct job *job, struct waiter *w, uint64_t now_ns,
                          struct result **known) {
    sm_status s = SM_OK;
    w->job = NULL;
    w->from = FROM_COMPILED;
    w->queue_us = 0;
    w->ran_ns = 0;
    w->deadline_ms = job->options.deadline_ms;
    pthread_mutex_lock(&t->lock);
    struct result *failure = find_failure(t, job, now_ns);
    struct job *flight = failure ? NULL : find_flight(t, &job->key);
    if (failure) {
        w->from = FROM_MEMORY;
        result_keep(failure);
        metric_add(t->metrics, METRIC_CRASH_HITS, 1);
    } else if (flight && attach_waiter(t, flight, w)) {
        w->from = FROM_FLIGHT;
        flight->keep |= atomic_load(&job->keep);
        if (job->is_alone && !flight->running) /* the pool's thread reads it of those that run */
            flight->is_alone = 1;
        metric_add(t->metrics, METRIC_FROM_FLIGHT, 1);
    } else {
        s = flight ? SM_NOMEM : enqueue_job(t, job, w, now_ns);
    }
    pthread_mutex_unlock(&t->lock);
    if (failure)
        s = result_hold(failure, t->budget, w->client);
    if (failure || flight || s != SM_OK)
        job_free(job);
    *known = s == SM_OK ? failure : NULL;
    return s;
}

/* Takes the waiter, which has to wait, off its job. 1 if that was the last of a running job. Under the lock. */
static int leave_job(struct jobtable *t, struct waiter *w) {
    struct job *job = w->job;
    detach_waiter(t, w);
    return !job->waiters && give_up_job(t, job);
}

int jobtable_cancel(struct jobtable *t, struct waiter *w, int *abandoned) {
    pthread_mutex_lock(&t->lock);
    int waits = w->job != NULL;
    if (waits)
        *abandoned = leave_job(t, w);
    pthread_mutex_unlock(&t->lock);
    return waits;
}

size_t jobtable_queued(struct jobtable *t) {
    pthread_mutex_lock(&t->lock);
    size_t n = queue_length(&t->queue);
    pthread_mutex_unlock(&t->lock);
    return n;
}

/* Seconds, 1 to 600, in which the queue will have been worked off. */
int jobtable_retry_after(struct jobtable *t) {
    pthread_mutex_lock(&t->lock);
    double seconds = t->job_us * (double)queue_length(&t->queue) / t->settings->workers / 1e6;
    pthread_mutex_unlock(&t->lock);
    return seconds < 1 ? 1 : seconds > 600 ? 600 : (int)(seconds + 0.999);
}

struct job *jobtable_next(struct jobtable *t, enum queue_class class, uint64_t now_ns) {
    struct job *job = NULL;
    pthread_mutex_lock(&t->lock);
    struct queue_item *item = queue_pop(&t->queue, class);
    if (item) {
        job = container_of(item, struct job, item);
        job->running = 1;
        job->threads = 1;
        job->is_extra = 0;
        job->log = -1;
        job->runs++;
        /* It may have arrived after the caller read the clock. */
        job->started_ns = now_ns > job->arrived_ns ? now_ns : job->arrived_ns;
        metric_add(t->metrics, METRIC_QUEUE_JOBS, -1);
    }
    pthread_mutex_unlock(&t->lock);
    return job;
}

void jobtable_begin(struct jobtable *t, struct job *job, int pid, int log) {
    uint64_t cpu = job->threads > 1 ? process_cpu_ns(pid) : 0;
    pthread_mutex_lock(&t->lock);
    job->pid = pid;
    job->cpu_before_ns = cpu;
    job->cpu_ended_ns = 0;
    job->log = log;
    pthread_mutex_unlock(&t->lock);
}

/* The time of workers that a running job has taken until now: as long as it has one; with several threads, their CPU time
 * if that is more. If nobody knows that, as of a worker that has ended with the fork server, all its threads count. */
static uint64_t used_by(const struct job *job, uint64_t now_ns) {
    uint64_t time = now_ns > job->started_ns ? now_ns - job->started_ns : 0, most = time * (uint64_t)job->threads;
    if (job->threads == 1)
        return most;
    uint64_t cpu = job->cpu_ended_ns ? job->cpu_ended_ns : process_cpu_ns(job->pid);
    if (cpu < job->cpu_before_ns || !cpu)
        return most;
    cpu -= job->cpu_before_ns;
    return cpu < time ? time : cpu < most ? cpu : most;
}

void jobtable_charge(struct jobtable *t, struct job *job, uint64_t now_ns) {
    pthread_mutex_lock(&t->lock);
    queue_charge(&t->queue, &job->item, used_by(job, now_ns), now_ns);
    pthread_mutex_unlock(&t->lock);
}

/* Who pays for the job is told what this run took. */
static void tell_payer(const struct job *job, uint64_t now_ns) {
    if (job->payer.of)
        job->payer.spend(job->payer.of, used_by(job, now_ns));
}

/* The job, if it runs, runs no longer: its client is charged with what it took. Under the lock. */
static void end_run(struct jobtable *t, struct job *job) {
    uint64_t now = sm_clock_ns();
    if (job->running) {
        queue_end(&t->queue, &job->item, used_by(job, now), now);
        tell_payer(job, now);
    }
    job->running = 0;
}

int jobtable_has(struct jobtable *t, enum queue_class class) {
    pthread_mutex_lock(&t->lock);
    int has = queue_has(&t->queue, class);
    pthread_mutex_unlock(&t->lock);
    return has;
}

/* Back into the queue: ahead of all, or as a slow one. */
static void push_again(struct jobtable *t, struct job *job, int is_slow) {
    pthread_mutex_lock(&t->lock);
    job->runs -= is_slow; /* that run counts neither for nor against the job */
    int queued = job->waiters && (is_slow ? queue_push_slow(&t->queue, &job->item, sm_clock_ns())
                                          : queue_push_first(&t->queue, &job->item));
    if (job->waiters && is_slow)
        tell_payer(job, sm_clock_ns());
    if (job->waiters)
        job->running = 0;
    else
        end_run(t, job);
    if (queued)
        metric_add(t->metrics, METRIC_QUEUE_JOBS, 1);
    pthread_mutex_unlock(&t->lock);
    if (queued)
        return;
    struct result *r = result_failure(SM_NOMEM, "");
    jobtable_finish(t, job, r); /* nobody keeps this failure */
    result_unref(r);
}

void jobtable_requeue(struct jobtable *t, struct job *job) {
    push_again(t, job, 0);
}

void jobtable_put_back(struct jobtable *t, struct job *job) {
    push_again(t, job, 1);
}

/* Calls done() of a list of waiters that were taken off their jobs. */
static void answer_waiters(struct waiter *list, struct result *result) {
    while (list) {
        struct waiter *w = list;
        list = w->next; /* the waiter may be gone once it has its answer */
        w->next = NULL;
        w->done(w, result);
    }
}

/* Detaches all waiters of a job and gives them as a list. */
static struct waiter *take_waiters(struct jobtable *t, struct job *job) {
    struct waiter *list = NULL;
    while (job->waiters) {
        struct waiter *w = job->waiters;
        detach_waiter(t, w);
        w->next = list;
        list = w;
    }
    return list;
}

/* 1 if the failure is one of the compiler's process. */
static int is_crash(const struct result *r) {
    int died = r->status == SM_CODEGEN_FAILED && !r->memory; /* over something that LLVM cannot compile */
    return died || r->status == SM_COMPILER_CRASHED || r->status == SM_OUT_OF_MEMORY || r->status == SM_CPU_LIMIT;
}

/* For how many seconds a failure is remembered that would come again: a crash costs a worker each time, a module's
 * errors some of its time. 0: R is none of these. */
static int seconds_remembered(const struct jobtable *t, const struct job *job, const struct result *r) {
    int is_wrong = r->memory && sm_status_http(r->status) == 422 && r->bytes.len <= FAILURES_BYTES;
    return is_crash(r) ? t->settings->crash_ttl_s : is_wrong && job->keep ? t->settings->diagnostic_ttl_s : 0;
}

/* Remembers such a failure. Under the lock. */
static void remember_failure(struct jobtable *t, const struct job *job, struct result *r) {
    int ttl_s = seconds_remembered(t, job, r);
    if (ttl_s)
        failures_add(is_crash(r) ? &t->crashes : &t->diagnostics, &job->key, r,
                     job->started_ns + (uint64_t)ttl_s * 1000000000u + (uint64_t)r->run_us * 1000u);
}

/* 1 if others would be answered with RESULT. */
static int is_worth_keeping(const struct jobtable *t, const struct job *job, const struct result *result) {
    return result->status == SM_OK ? job->keep != 0 : seconds_remembered(t, job, result) > 0;
}

struct job *jobtable_finish(struct jobtable *t, struct job *job, struct result *result) {
    int needs_second = t->needs_second && result && is_worth_keeping(t, job, result);
    if (result && result->status == SM_OK) {
        metric_add(t->metrics, METRIC_FROM_COMPILED, 1);
        /* before it leaves: an equal request finds it in flight or in the cache */
        t->keep(t->keeper, job, needs_second ? NULL : result);
    }
    pthread_mutex_lock(&t->lock);
    hash_remove(&t->flights, &job->flight);
    end_run(t, job);
    struct waiter *list = take_waiters(t, job);
    if (result && result->run_us)
        t->job_us += ((double)result->run_us - t->job_us) / 16;
    if (result && !needs_second)
        remember_failure(t, job, result);
    pthread_mutex_unlock(&t->lock);
    if (result && job->runs) /* now that nobody can join it */
        metric_compile(t->metrics, result->status);
    answer_waiters(list, result);
    if (needs_second)
        return job;
    job_free(job);
    return NULL;
}

void jobtable_admit(struct jobtable *t, const struct job *job, struct result *result) {
    if (result->status == SM_OK)
        t->keep(t->keeper, job, result);
    pthread_mutex_lock(&t->lock);
    remember_failure(t, job, result);
    pthread_mutex_unlock(&t->lock);
}

int jobtable_abandoned(struct jobtable *t, const struct job *job) {
    pthread_mutex_lock(&t->lock);
    int abandoned = job->waiters == NULL;
    pthread_mutex_unlock(&t->lock);
    return abandoned;
}

void jobtable_drop(struct jobtable *t, struct job *job) {
    pthread_mutex_lock(&t->lock);
    end_run(t, job);
    pthread_mutex_unlock(&t->lock);
    job_free(job);
}

void jobtable_hung_up(struct jobtable *t, uint64_t ticket) {
    pthread_mutex_lock(&t->lock);
    struct waiter *w = slots_find(&t->watched, ticket); /* only waiters are watched */
    if (w)
        leave_job(t, w);
    pthread_mutex_unlock(&t->lock);
    if (w)
        w->done(w, NULL);
}

/* The stage that a running job is in, as its worker says; -1 if it says nothing valid. */
static int stage_of(const struct job *job) {
    return job->running ? worker_stage(job->log) : -1;
}

int jobtable_progress(struct jobtable *t, const struct sm_key *key, int *is_running, int *stage) {
    pthread_mutex_lock(&t->lock);
    const struct job *job = find_flight(t, key);
    *is_running = job && job->running;
    *stage = job ? stage_of(job) : -1;
    pthread_mutex_unlock(&t->lock);
    return job != NULL;
}

/* Answers a waiter whose deadline has passed; each has its own. */
static void answer_timeout(const struct jobtable *t, struct waiter *w, int was_running) {
    char where[80] = "", detail[400];
    int max = t->settings->max_deadline_ms;
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

/* Answers a list of waiters whose deadlines have passed. */
static void answer_timeouts(const struct jobtable *t, struct waiter *list, int was_running) {
    while (list) {
        struct waiter *w = list;
        list = w->next; /* the waiter may be gone once it has its answer */
        w->next = NULL;
        answer_timeout(t, w, was_running);
    }
}

uint64_t jobtable_expire(struct jobtable *t, uint64_t now_ns) {
    struct waiter *queued = NULL, *running = NULL;
    pthread_mutex_lock(&t->lock);
    struct heap_node *first;
    while ((first = heap_top(&t->deadlines)) && first->key <= now_ns) {
        struct waiter *w = container_of(first, struct waiter, deadline);
        struct job *job = w->job;
        struct waiter **list = job->running ? &running : &queued;
        w->stage = stage_of(job);
        detach_waiter(t, w);
        if (!job->waiters && job->running)
            metric_compile(t->metrics, SM_COMPILE_TIMEOUT);
        if (!job->waiters)
            give_up_job(t, job);
        w->next = *list;
        *list = w;
    }
    uint64_t next = first ? first->key : 0;
    pthread_mutex_unlock(&t->lock);
    answer_timeouts(t, queued, 0);
    answer_timeouts(t, running, 1);
    return next;
}

void jobtable_fail_all(struct jobtable *t, sm_status status, const char *detail, int close) {
    struct result *r = result_failure(status, detail);
    struct waiter *list = NULL;
    pthread_mutex_lock(&t->lock);
    t->closed |= close;
    for (struct hash_node *n = hash_first(&t->flights), *next; n; n = next) {
        struct job *job = container_of(n, struct job, flight);
        next = hash_next(&t->flights, n);
        if (job->running && !close)
            continue;
        for (struct waiter *w = take_waiters(t, job), *after; w; w = after) {
            after = w->next;
            w->next = list;
            list = w;
        }
        give_up_job(t, job);
    }
    pthread_mutex_unlock(&t->lock);
    answer_waiters(list, r);
    result_unref(r);
}
