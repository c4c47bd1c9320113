/* pool.c - the pool's thread: it waits for whatever happens to the fork server, workers, clients and clocks, and acts
 * on it.
 *
 * What is shared with other threads is in jobtable.c; everything else in here belongs to the one thread.
 */
#include "pool.h"

#include "clock.h"
#include "log.h"
#include "workers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Makes the pool's thread look again. */
static void wake_pool(struct pool *p) {
    uint64_t one = 1;
    ssize_t n = write(p->wake, &one, sizeof one);
    (void)n; /* a full counter wakes as well */
}

/* Scheduling */

/* A small job may take the extra worker when all others have been busy for so long: none will be free soon. */
#define SLOW_NS (SECOND_NS / 10)

/* So long a job may hold the extra worker while another could take it. Then it is put back, and runs again on one of the
 * others: however many clients have slow jobs, the extra worker comes free. */
#define TURN_NS (SECOND_NS / 5)

/* So long fresh workers stand ready after a job found none that had to have one. */
#define ALONE_NS (60 * (uint64_t)SECOND_NS)

struct running {
    int jobs, large;
    uint64_t last_ns; /* when the last of them began */
};

/* What runs and somebody waits for. */
static struct running count_running(const struct pool *p) {
    struct running r = {0};
    for (int i = 0; i < p->workers; i++) {
        const struct job *job = p->worker[i]->job;
        if (!job || p->worker[i]->confirms)
            continue;
        r.jobs++;
        r.large += job->input_len >= QUEUE_LARGE;
        if (job->started_ns > r.last_ns)
            r.last_ns = job->started_ns;
    }
    return r;
}

/* 1 if the worker lives and can take a job, now or later. */
static int is_usable(const struct worker *w) {
    return w->state != WORKER_GONE && w->killed == KILL_NONE && !w->ended;
}

/* 1 if the worker has run nothing, and was asked for after so many others. */
static int is_fresh(const struct worker *w, uint64_t after) {
    return is_usable(w) && !w->is_last && w->jobs == 0 && w->number > after;
}

/* How many fresh workers there are, or have been asked for, after so many others. */
static int count_fresh(const struct pool *p, uint64_t after) {
    uint64_t asked_since = p->asks - after;
    int n = asked_since < (uint64_t)p->asked ? (int)asked_since : p->asked;
    for (int i = 0; i < p->workers; i++)
        n += is_fresh(p->worker[i], after);
    return n;
}

/* How many confirmations may begin: on workers that would be idle, while nothing waits. */
static int count_seconds(struct pool *p) {
    if (!p->admission.waiting || jobtable_queued(&p->jobs))
        return 0;
    int idle = p->settings->workers - count_running(p).jobs - (int)p->admission.running;
    return idle < (int)p->admission.waiting ? idle : (int)p->admission.waiting;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

/* How many workers to ask for ahead of need; one on its last job does not count. One more than the setting stands ready,
 * so that a small job need not wait for large ones; if each job has its own process, or those of a client lately had,
 * the next ones as well; and those for confirmations. */
static int count_lacking(struct pool *p, uint64_t now) {
    int workers = p->settings->workers, each = p->settings->jobs_per_worker, have = p->asked;
    for (int i = 0; i < p->workers; i++)
        have += is_usable(p->worker[i]) && !p->worker[i]->is_last && p->worker[i]->jobs < each;
    int lacks = workers + 1 + (each == 1 ? workers : 0) - have, seconds = count_seconds(p);
    if (now < p->alone_until_ns)
        lacks = larger(lacks, workers - count_fresh(p, 0));
    if (seconds > 0)
        lacks = larger(lacks, seconds - count_fresh(p, admission_next(&p->admission)->job->asked_before));
    return lacks;
}

/* Asks for the workers that are lacking. */
static void replenish(struct pool *p, uint64_t now) {
    int lacks = count_lacking(p, now);
    if (p->start_failures >= START_FAILURES_MAX && now < p->spawn_retry_ns)
        return;
    p->spawn_retry_ns = now + SECOND_NS;
    for (; lacks > 0 && p->forkserver.ready; lacks--) {
        if (forkserver_spawn(&p->forkserver) != SM_OK)
            break;
        p->asked++;
        p->asks++;
        if (!p->forkserver_due_ns)
            p->forkserver_due_ns = now + FORKSERVER_PATIENCE_NS;
    }
}

/* The idle worker that has done most jobs: its memory is warm, and it retires soonest. NULL if there is none. */
static struct worker *idle_worker(struct pool *p) {
    struct worker *best = NULL;
    for (int i = 0; i < p->workers; i++)
        if (p->worker[i]->state == WORKER_IDLE && is_usable(p->worker[i]) &&
            (!best || p->worker[i]->jobs > best->jobs) && worker_alive(p->worker[i]))
            best = p->worker[i];
    return best;
}

/* An idle worker that has run nothing, and was asked for after so many others. NULL if there is none. */
static struct worker *fresh_worker(struct pool *p, uint64_t after) {
    for (int i = 0; i < p->workers; i++)
        if (p->worker[i]->state == WORKER_IDLE && is_fresh(p->worker[i], after) && worker_alive(p->worker[i]))
            return p->worker[i];
    return NULL;
}

/* How many threads the next job may use when N jobs run: those of workers that would be idle. */
static int spare_threads(struct pool *p, int n) {
    size_t queued = jobtable_queued(&p->jobs);
    int idle = p->settings->workers - n;
    return idle > 1 && queued < (size_t)idle - 1 ? idle - (int)queued : 1;
}

/* Sends the job to the worker; out of memory, the job fails. */
static void give_job(struct pool *p, struct worker *w, struct job *job, int threads, uint64_t now) {
    if (job->runs == 1)
        job->outside_before = p->outside;
    job->threads = threads;
    job->asked_before = p->asks;
    jobtable_begin(&p->jobs, job, w->pid, w->log);
    if (worker_begin(w, job, threads, now) == SM_OK) {
        w->is_last = job->is_alone;
        workers_send(p, w);
        return;
    }
    struct result *r = result_failure(SM_NOMEM, "");
    jobtable_finish(&p->jobs, job, r); /* nobody keeps this failure */
    result_unref(r);
}

/* 1 if a job may begin beside R, with the class of it. The setting's number of workers takes any; the extra one takes a
 * small job while a large one runs, and, while all run for long, one of a client that has none of them. */
static int may_begin(const struct pool *p, const struct running *r, uint64_t now, enum queue_class *class) {
    *class = r->jobs < p->settings->workers ? QUEUE_ALL : r->large ? QUEUE_SMALL : QUEUE_NEWCOMERS;
    return *class == QUEUE_ALL ||
           (r->jobs == p->settings->workers && (*class == QUEUE_SMALL || now >= r->last_ns + SLOW_NS));
}

/* Charges clients with the time that their running jobs have taken so far. */
static void charge_running(struct pool *p, uint64_t now) {
    for (int i = 0; i < p->workers; i++)
        if (p->worker[i]->job && !p->worker[i]->confirms)
            jobtable_charge(&p->jobs, p->worker[i]->job, now);
}

/* The worker whose job is the extra one; NULL if there is none. Once fewer run, the extra one is one of them. */
static struct worker *extra_worker(struct pool *p, const struct running *r) {
    struct worker *extra = NULL;
    for (int i = 0; i < p->workers; i++) {
        struct job *job = p->worker[i]->confirms ? NULL : p->worker[i]->job;
        if (job && r->jobs <= p->settings->workers)
            job->is_extra = 0;
        if (job && job->is_extra)
            extra = p->worker[i];
    }
    return extra;
}

/* Ends the extra job's turn if it is over and another job could have the place. Returns when it will be over; 0 if
 * nothing waits for that. */
static uint64_t end_turn(struct pool *p, const struct running *r, uint64_t now) {
    struct worker *w = extra_worker(p, r);
    if (!w || w->state != WORKER_BUSY || w->killed != KILL_NONE ||
        !jobtable_has(&p->jobs, r->large ? QUEUE_SMALL : QUEUE_NEWCOMERS))
        return 0;
    if (now < w->job->started_ns + TURN_NS)
        return w->job->started_ns + TURN_NS;
    worker_kill(w, KILL_SLOW);
    return 0;
}

/* Takes workers from confirmations, so that those who wait get all that the setting gives them. */
static void give_way(struct pool *p, const struct running *r) {
    long long room = (long long)p->settings->workers - r->jobs - (long long)jobtable_queued(&p->jobs);
    for (int i = 0; i < p->workers; i++) {
        struct worker *w = p->worker[i];
        if (w->confirms && w->killed == KILL_NONE && room-- <= 0)
            worker_kill(w, KILL_SLOW);
    }
}

/* Begins confirmations. */
static void confirm(struct pool *p, uint64_t now) {
    struct confirmation *c;
    struct worker *w;
    for (int n = count_seconds(p); n > 0 && (c = admission_next(&p->admission)); n--) {
        if (!(w = fresh_worker(p, c->job->asked_before)))
            return;
        c->job->started_ns = now;
        if (worker_begin(w, c->job, 1, now) != SM_OK) {
            admission_end(&p->admission, c, METRIC_ADMISSION_DROPPED);
            continue;
        }
        w->confirms = c;
        w->is_last = 1;
        admission_begin(&p->admission, c);
        workers_send(p, w);
    }
}

/* The job, which has just left the queue, goes back to its head: no worker is fresh. Some are asked for, and stand ready
 * from now on. */
static void await_fresh(struct pool *p, struct job *job, uint64_t now) {
    p->alone_until_ns = now + ALONE_NS;
    job->runs--;
    jobtable_requeue(&p->jobs, job);
    replenish(p, now);
}

/* Gives jobs to idle workers. Returns when more may begin although nothing happens; 0 if that is not known. */
static uint64_t dispatch(struct pool *p, uint64_t now) {
    struct worker *w;
    if (!jobtable_queued(&p->jobs))
        return 0;
    charge_running(p, now);
    struct running before = count_running(p);
    give_way(p, &before);
    uint64_t turn = end_turn(p, &before, now);
    while (jobtable_queued(&p->jobs) && (w = idle_worker(p))) {
        enum queue_class class;
        struct running r = count_running(p);
        if (!may_begin(p, &r, now, &class))
            return r.jobs == p->settings->workers ? r.last_ns + SLOW_NS : turn;
        struct job *job = jobtable_next(&p->jobs, class, now);
        if (!job)
            return turn;
        if (job->is_alone && !(w = fresh_worker(p, 0))) {
            await_fresh(p, job, now);
            return turn;
        }
        job->is_extra = r.jobs == p->settings->workers;
        give_job(p, w, job, spare_threads(p, r.jobs), now);
    }
    return turn;
}

/* Clocks */

/* Kills workers whose jobs have lost all waiters. */
static void kill_abandoned(struct pool *p) {
    for (int i = 0; i < p->workers; i++) {
        struct worker *w = p->worker[i];
        if (w->state == WORKER_BUSY && !w->confirms && w->killed == KILL_NONE && jobtable_abandoned(&p->jobs, w->job))
            worker_kill(w, KILL_ABANDONED);
    }
}

/* Kills workers that do not say HELLO, do not end after their socket was closed, or take longer for a confirmation than
 * who asked would have waited. */
static void kill_overdue(struct pool *p, uint64_t now) {
    for (int i = 0; i < p->workers; i++) {
        struct worker *w = p->worker[i];
        if ((w->state == WORKER_STARTING || w->state == WORKER_GONE) && now > w->since_ns + WORKER_PATIENCE_NS)
            worker_kill(w, w->state == WORKER_GONE ? KILL_RETIRED : KILL_STOPPED);
        if (w->confirms && w->state == WORKER_BUSY && w->killed == KILL_NONE &&
            now > w->since_ns + (uint64_t)w->job->options.deadline_ms * 1000000u)
            worker_kill(w, KILL_ABANDONED);
    }
}

/* Does what is due: deadlines, dead and overdue processes, new workers, jobs. Gives the next deadline; 0 if there is
 * none. */
static uint64_t pool_tick(struct pool *p) {
    uint64_t now = sm_clock_ns(), next = jobtable_expire(&p->jobs, now);
    workers_reap_orphans(p); /* nothing wakes the thread when one is stopped */
    int is_stopped = 0;
    if (now >= p->strangers_due_ns) {
        workers_reap_strangers(p);
        is_stopped = workers_forkserver_is_stopped(p);
        p->strangers_due_ns = now + SECOND_NS;
    }
    kill_abandoned(p);
    kill_overdue(p, now);
    if (is_stopped || (p->forkserver_due_ns && now > p->forkserver_due_ns))
        workers_lose_forkserver(p);
    if (p->forkserver.socket < 0 && now >= p->forkserver_retry_ns)
        workers_start_forkserver(p, now);
    if (p->start_failures >= START_FAILURES_MAX)
        jobtable_fail_all(&p->jobs, SM_NO_WORKER, "No compiler worker can be started; the server's log says why", 0);
    replenish(p, now);
    uint64_t more = dispatch(p, now);
    confirm(p, now);
    workers_publish(p);
    return more && (!next || more < next) ? more : next;
}

/* Milliseconds to the time NEXT, from 0 to 1000; 1000 if NEXT is 0. */
static int milliseconds_to(uint64_t next) {
    uint64_t now = sm_clock_ns();
    if (!next)
        return 1000;
    if (next <= now)
        return 0;
    uint64_t ms = (next - now + 999999) / 1000000;
    return ms < 1000 ? (int)ms : 1000;
}

/* Acts on one event of epoll, by its tag. */
static void on_event(struct pool *p, const struct epoll_event *e) {
    uint64_t ticket = e->data.u64 >> TAG_BITS, count;
    switch (e->data.u64 & ((1u << TAG_BITS) - 1)) {
    case TAG_WAKE:
        (void)!read(p->wake, &count, sizeof count); /* takes all that was written */
        break;
    case TAG_FORKSERVER:
        workers_on_forkserver_event(p);
        break;
    case TAG_WORKER:
        workers_on_worker_event(p, ticket, e->events);
        break;
    case TAG_PIDFD:
        workers_on_end(p, ticket);
        break;
    case TAG_WATCH:
        jobtable_hung_up(&p->jobs, ticket);
        break;
    default:
        break;
    }
}

/* The pool's thread: waits for events, and acts on them and on what is due. */
static void *run_pool(void *arg) {
    struct pool *p = arg;
    struct epoll_event events[64];
    uint64_t next = pool_tick(p);
    while (!atomic_load(&p->stopping)) {
        int n = epoll_wait(p->epoll, events, 64, milliseconds_to(next));
        atomic_store_explicit(&p->moved_ns, sm_clock_ns(), memory_order_relaxed);
        for (int i = 0; i < n; i++)
            on_event(p, &events[i]);
        next = pool_tick(p);
    }
    return NULL;
}

struct pool *pool_start(const struct settings *s, struct metrics *m, struct budget *b, jobtable_keep *keep,
                        void *keeper, struct error *err) {
    struct pool *p = calloc(1, sizeof *p);
    if (!p) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    p->settings = s;
    p->metrics = m;
    p->budget = b;
    p->epoll = epoll_create1(EPOLL_CLOEXEC);
    p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    jobtable_init(&p->jobs, s, m, b, keep, keeper, p->epoll, TAG_WATCH, TAG_BITS);
    admission_init(&p->admission, s, m);
    forkserver_init(&p->forkserver);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* a dead fork server's workers become smd's children, whose end it can learn */
    int ok = forkserver_start(&p->forkserver, s, err) == SM_OK && forkserver_await(&p->forkserver, err) == SM_OK;
    if (ok) {
        metric_add(m, METRIC_FORKSERVER_STARTS, 1);
        p->crashes = s->crash_dir[0] ? crashes_start(s->crash_dir) : NULL;
        ok = workers_watch(p, p->wake, EPOLLIN, 0, TAG_WAKE, EPOLL_CTL_ADD) &&
             workers_watch(p, p->forkserver.socket, EPOLLIN, 0, TAG_FORKSERVER, EPOLL_CTL_ADD) &&
             (p->crashes || !s->crash_dir[0]) && pthread_create(&p->thread, NULL, run_pool, p) == 0;
        if (!ok)
            error_set(err, SM_NOMEM, "no descriptors, no memory or no thread for the pool of workers");
    }
    if (ok)
        return p;
    crashes_stop(p->crashes, CRASHES_PATIENCE_S);
    forkserver_stop(&p->forkserver);
    free(p->forkserver.about);
    jobtable_free(&p->jobs);
    close(p->epoll);
    close(p->wake);
    free(p);
    return NULL;
}

const char *pool_about(const struct pool *p) {
    return p->forkserver.about;
}

sm_status pool_submit(struct pool *p, struct job *job, struct waiter *w, struct result **known) {
    sm_status s = jobtable_submit(&p->jobs, job, w, sm_clock_ns(), known);
    if (s == SM_OK && !*known)
        wake_pool(p);
    return s;
}

int pool_cancel(struct pool *p, struct waiter *w) {
    int abandoned = 0, cancelled = jobtable_cancel(&p->jobs, w, &abandoned);
    if (abandoned)
        wake_pool(p);
    return cancelled;
}

struct pool_state pool_state(struct pool *p) {
    return (struct pool_state){.ready = atomic_load(&p->ready),
                               .workers = atomic_load(&p->total),
                               .busy = atomic_load(&p->busy_now),
                               .queued = jobtable_queued(&p->jobs)};
}

int pool_moves(struct pool *p) {
    enum { SECONDS = 10 };
    return sm_clock_ns() < atomic_load_explicit(&p->moved_ns, memory_order_relaxed) + SECONDS * 1000000000ull;
}

int pool_progress(struct pool *p, const struct sm_key *key, int *is_running, int *stage) {
    return jobtable_progress(&p->jobs, key, is_running, stage);
}

int pool_retry_after(struct pool *p) {
    return jobtable_retry_after(&p->jobs);
}

void pool_end_waits(struct pool *p) {
    jobtable_fail_all(&p->jobs, SM_DRAINING, "The server is shutting down", 1);
    wake_pool(p);
}

int pool_stop(struct pool *p) {
    atomic_store(&p->stopping, 1);
    wake_pool(p);
    pthread_join(p->thread, NULL);
    for (int i = 0; i < p->workers; i++) {
        worker_kill(p->worker[i], KILL_RETIRED);
        if (!p->worker[i]->confirms)
            job_free(p->worker[i]->job);
        p->worker[i]->job = NULL;
        worker_free(p->worker[i]);
    }
    admission_free(&p->admission);
    slots_free(&p->tickets);
    int has_ended = crashes_stop(p->crashes, CRASHES_PATIENCE_S);
    forkserver_stop(&p->forkserver);
    while (waitpid(-1, NULL, WNOHANG) > 0) /* workers that the fork server left to us */
        ;
    free(p->forkserver.about);
    jobtable_free(&p->jobs);
    close(p->epoll);
    close(p->wake);
    free(p);
    return has_ended;
}
