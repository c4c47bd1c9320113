/* pool.c - the pool's thread: it waits for whatever happens to nursery, workers, clients and clocks, and acts on it.
 *
 * What is shared with other threads is in board.c; everything else in here belongs to the one thread.
 */
#include "pool.h"

#include "board.h"
#include "crashes.h"
#include "ending.h"
#include "log.h"
#include "nursery.h"
#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS           1000000000u
#define NURSERY_PATIENCE_NS (30u * (uint64_t)SECOND_NS) /* for an answer to what it was asked */
#define WORKER_PATIENCE_NS  (5u * (uint64_t)SECOND_NS)  /* for a HELLO, and for an end after its socket was closed */
#define RETRIES             1
#define START_FAILURES_MAX  3 /* in a row; then jobs are refused instead of left waiting */

/* What an event is of: the low bits of epoll's data, whose rest is a pointer. */
enum tag { TAG_WAKE, TAG_NURSERY, TAG_WORKER, TAG_PIDFD, TAG_WATCH, TAG_MASK = 7 };

struct pool {
    const struct settings *settings;
    struct metrics *metrics;
    struct board board;
    pthread_t thread;
    int epoll, wake;
    atomic_int stopping;
    atomic_ullong moved_ns; /* when the thread last went through its loop */
    /* Told to other threads. */
    atomic_int ready, total, busy_now;
    /* The thread's own. */
    struct nursery nursery;
    uint64_t nursery_due_ns;   /* when an answer of the nursery is overdue; 0 while none is awaited */
    uint64_t nursery_retry_ns; /* when the next start may be tried */
    int asked;                 /* workers asked for that have not come */
    int start_failures;        /* in a row */
    uint64_t spawn_retry_ns;   /* when the next worker may be asked for after such failures */
    struct worker *worker[1024];
    int workers;
    struct worker *grave[1024]; /* ended in this round: events of the same round may still name them */
    int graves;
};

uint64_t pool_clock_ns(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * SECOND_NS + (uint64_t)ts.tv_nsec;
}

static void wake(struct pool *p) {
    uint64_t one = 1;
    ssize_t n = write(p->wake, &one, sizeof one);
    (void)n; /* a full counter wakes as well */
}

static int watch(struct pool *p, int fd, uint32_t events, const void *ptr, enum tag tag, int op) {
    struct epoll_event e = {.events = events, .data.u64 = (uint64_t)(uintptr_t)ptr | tag};
    return epoll_ctl(p->epoll, op, fd, &e) == 0;
}

/* Workers */

static void publish(struct pool *p) {
    int idle = 0, busy = 0, starting = 0;
    for (int i = 0; i < p->workers; i++) {
        idle += p->worker[i]->state == WORKER_IDLE;
        busy += p->worker[i]->state == WORKER_BUSY;
        starting += p->worker[i]->state == WORKER_STARTING;
    }
    atomic_store(&p->total, p->workers);
    atomic_store(&p->busy_now, busy);
    atomic_store(&p->ready, p->nursery.ready && idle + busy > 0);
    atomic_store(&p->metrics->value[METRIC_WORKERS_IDLE], idle);
    atomic_store(&p->metrics->value[METRIC_WORKERS_BUSY], busy);
    atomic_store(&p->metrics->value[METRIC_WORKERS_STARTING], starting);
}

static void remove_worker(struct pool *p, struct worker *w) {
    for (int i = 0; i < p->workers; i++)
        if (p->worker[i] == w) {
            p->worker[i] = p->worker[--p->workers];
            p->grave[p->graves++] = w;
            return;
        }
}

static void bury(struct pool *p) {
    while (p->graves)
        worker_free(p->grave[--p->graves]);
}

static void fail_job(struct pool *p, struct worker *w, const struct ending *e) {
    struct result *r = result_failure(e->status, e->detail);
    if (r)
        r->run_us = (uint32_t)((pool_clock_ns() - w->job->started_ns) / 1000);
    board_finish(&p->board, w->job, r);
    result_unref(r);
}

static void retire(struct pool *p, struct worker *w);

/* Who has killed one worker may have killed others, which just do not know it yet: the job runs again on a fresh one.
 */
static void retire_idle(struct pool *p) {
    for (int i = p->workers; i-- > 0;)
        if (p->worker[i]->state == WORKER_IDLE && !p->worker[i]->ended)
            retire(p, p->worker[i]);
}

/* The worker's end is known: its job is run again, or ends. */
static void settle(struct pool *p, struct worker *w) {
    char log[8192];
    worker_log_tail(w, log, sizeof log);
    struct ending e = ending_of(w, log);
    struct job *job = w->job;
    metric_add(p->metrics, e.cause, 1);
    if (e.cause != METRIC_EXIT_RETIRED && e.cause != METRIC_EXIT_CANCELLED)
        log_event(LOG_LEVEL_WARNING, "worker_ended", "{s:i,s:s,s:s,s:s}", "pid", (int)w->pid, "key",
                  job ? job->key : "", "code", job && !e.from_outside ? sm_status_name(e.status) : "", "detail",
                  e.detail);
    if (job && board_abandoned(&p->board, job)) {
        job_free(job);
    } else if (job && e.from_outside && job->runs <= RETRIES) {
        metric_add(p->metrics, METRIC_JOBS_RETRIED, 1);
        retire_idle(p);
        board_requeue(&p->board, job);
    } else if (job) {
        if (!e.from_outside && p->settings->crash_dir[0])
            crash_keep(p->settings->crash_dir, p->settings->crash_files, job, log);
        fail_job(p, w, &e);
    } else if (w->jobs == 0 && e.cause == METRIC_EXIT_CRASHED && ++p->start_failures == START_FAILURES_MAX) {
        log_event(LOG_LEVEL_ERROR, "workers_do_not_start", "{s:s,s:s}", "detail", e.detail, "log", log);
    }
    w->job = NULL;
    remove_worker(p, w);
}

/* Its socket is of no use any more; the worker is settled once it is known how it ended. */
static void close_worker(struct pool *p, struct worker *w) {
    if (w->socket >= 0) {
        epoll_ctl(p->epoll, EPOLL_CTL_DEL, w->socket, NULL);
        close(w->socket);
    }
    w->socket = -1;
    w->state = WORKER_GONE;
    w->since_ns = pool_clock_ns();
    if (w->ended)
        settle(p, w);
}

static void retire(struct pool *p, struct worker *w) {
    w->killed = KILL_RETIRED;
    close_worker(p, w);
}

static void take_result(struct pool *p, struct worker *w) {
    struct job *job = w->job;
    sm_status status;
    uint64_t now = pool_clock_ns();
    struct result *r = worker_result(w, &status);
    if (!r) {
        w->job = job;
        worker_kill(w, KILL_PROTOCOL);
        close_worker(p, w);
        return;
    }
    r->run_us = (uint32_t)((now - job->started_ns) / 1000);
    metric_observe(p->metrics, HISTOGRAM_QUEUE, (job->started_ns - job->arrived_ns) / 1000);
    metric_observe(p->metrics, HISTOGRAM_RUN, r->run_us);
    metric_stages(p->metrics, &r->timings);
    uint32_t rss_kib = r->timings.peak_rss_kib;
    board_finish(&p->board, job, r);
    result_unref(r);
    if (w->jobs >= p->settings->jobs_per_worker || rss_kib > (uint32_t)p->settings->worker_memory_mib * 512u)
        retire(p, w);
}

static void send_more(struct pool *p, struct worker *w) {
    int done = worker_send(w);
    watch(p, w->socket, done ? EPOLLIN : EPOLLIN | EPOLLOUT, w, TAG_WORKER, EPOLL_CTL_MOD);
}

static void on_worker(struct pool *p, struct worker *w, uint32_t events) {
    if (w->socket < 0)
        return; /* closed in this round */
    if (events & EPOLLOUT && w->state == WORKER_BUSY)
        send_more(p, w);
    if (!(events & ~(uint32_t)EPOLLOUT))
        return;
    switch (worker_receive(w)) {
    case WORKER_WAITS:
        break;
    case WORKER_SAYS_HELLO:
        w->state = WORKER_IDLE;
        p->start_failures = 0;
        break;
    case WORKER_HAS_RESULT:
        take_result(p, w);
        break;
    case WORKER_BROKE:
        close_worker(p, w);
        break;
    }
}

/* Learns what became of a worker that no nursery tells of: after its nursery's death it is smd's own child. */
static void reap_orphan(struct pool *p, struct worker *w) {
    siginfo_t info = {0};
    if (w->ended || w->nursery == p->nursery.pid ||
        waitid(P_PIDFD, (id_t)w->pidfd, &info, WEXITED | WSTOPPED | WNOHANG) != 0 || info.si_pid == 0)
        return;
    if (info.si_code == CLD_STOPPED || info.si_code == CLD_TRAPPED) {
        worker_kill(w, KILL_STOPPED);
        return;
    }
    w->ended = 1;
    w->wait_status = info.si_code == CLD_EXITED ? info.si_status << 8 : info.si_status;
    if (w->state == WORKER_GONE)
        settle(p, w);
    else if (w->state == WORKER_IDLE || w->state == WORKER_STARTING)
        close_worker(p, w);
}

static void on_exited(struct pool *p, pid_t pid, int wait_status) {
    struct worker *w = NULL;
    for (int i = 0; i < p->workers && !w; i++)
        if (p->worker[i]->pid == pid)
            w = p->worker[i];
    if (!w || w->ended)
        return;
    if (WIFSTOPPED(wait_status)) {
        worker_kill(w, KILL_STOPPED);
        return;
    }
    w->ended = 1;
    w->wait_status = wait_status;
    if (w->state == WORKER_GONE)
        settle(p, w);
    else if (w->state == WORKER_IDLE || w->state == WORKER_STARTING)
        close_worker(p, w);
    /* A busy one may have sent its result before it ended: its socket is read to the end first. */
}

static void on_spawned(struct pool *p, const struct nursery_event *e) {
    p->asked -= p->asked > 0;
    struct worker *w =
        worker_new(e->pid, p->nursery.pid, e->socket, e->pidfd, e->log, (size_t)p->settings->max_output_mib << 20);
    if (!w)
        return;
    w->since_ns = pool_clock_ns();
    if (p->workers == (int)(sizeof p->worker / sizeof *p->worker) ||
        !watch(p, w->socket, EPOLLIN, w, TAG_WORKER, EPOLL_CTL_ADD) ||
        !watch(p, w->pidfd, EPOLLIN | EPOLLET, w, TAG_PIDFD, EPOLL_CTL_ADD)) {
        worker_free(w); /* it ends by itself when its socket closes */
        return;
    }
    p->worker[p->workers++] = w;
}

/* Nursery */

static void start_nursery(struct pool *p, uint64_t now) {
    char why[512];
    p->asked = 0;
    p->nursery_retry_ns = now + SECOND_NS;
    if (nursery_start(&p->nursery, p->settings, why, sizeof why) != SM_OK) {
        log_event(LOG_LEVEL_ERROR, "nursery_not_started", "{s:s}", "detail", why);
        return;
    }
    metric_add(p->metrics, METRIC_NURSERY_STARTS, 1);
    p->nursery_due_ns = now + NURSERY_PATIENCE_NS;
    watch(p, p->nursery.socket, EPOLLIN, NULL, TAG_NURSERY, EPOLL_CTL_ADD);
}

static void reap_orphans(struct pool *p) {
    for (int i = p->workers; i-- > 0;) /* settling takes a worker out, and the last one takes its place */
        reap_orphan(p, p->worker[i]);
}

static void lose_nursery(struct pool *p) {
    log_event(LOG_LEVEL_WARNING, "nursery_gone", "{s:i}", "pid", (int)p->nursery.pid);
    nursery_stop(&p->nursery);
    p->nursery_due_ns = 0;
    p->asked = 0;
    reap_orphans(p);
}

static void on_nursery(struct pool *p) {
    for (;;) {
        struct nursery_event e = nursery_next(&p->nursery);
        switch (e.kind) {
        case NURSERY_NOTHING:
            return;
        case NURSERY_READY:
            p->nursery_due_ns = 0;
            break;
        case NURSERY_SPAWNED:
            on_spawned(p, &e);
            p->nursery_due_ns = p->asked ? pool_clock_ns() + NURSERY_PATIENCE_NS : 0;
            break;
        case NURSERY_EXITED:
            on_exited(p, e.pid, e.wait_status);
            break;
        case NURSERY_GONE:
            lose_nursery(p);
            return;
        }
    }
}

/* Scheduling */

/* How many jobs run, and how many of them are large. */
static int running(const struct pool *p, int *large) {
    int n = *large = 0;
    for (int i = 0; i < p->workers; i++)
        if (p->worker[i]->job) {
            n++;
            *large += p->worker[i]->job->input_len >= QUEUE_LARGE;
        }
    return n;
}

static int usable(const struct worker *w) {
    return w->state != WORKER_GONE && w->killed == KILL_NONE && !w->ended;
}

/* Workers are replaced ahead of need: one that works on its last job counts no more. One more than the setting says
 * stands ready, so that a small job need not wait behind large ones; where every job has a process of its own, the
 * next ones stand ready too. */
static void breed(struct pool *p, uint64_t now) {
    int want = p->settings->workers + 1 + (p->settings->jobs_per_worker == 1 ? p->settings->workers : 0);
    int have = p->asked;
    for (int i = 0; i < p->workers; i++)
        have += usable(p->worker[i]) && p->worker[i]->jobs < p->settings->jobs_per_worker;
    if (p->start_failures >= START_FAILURES_MAX && now < p->spawn_retry_ns)
        return;
    p->spawn_retry_ns = now + SECOND_NS;
    for (; have < want && p->nursery.ready; have++) {
        if (nursery_spawn(&p->nursery) != SM_OK)
            break;
        p->asked++;
        if (!p->nursery_due_ns)
            p->nursery_due_ns = now + NURSERY_PATIENCE_NS;
    }
}

static struct worker *idle_worker(struct pool *p) {
    struct worker *best = NULL; /* the most used one: its memory is warm, and it retires soonest */
    for (int i = 0; i < p->workers; i++)
        if (p->worker[i]->state == WORKER_IDLE && usable(p->worker[i]) && worker_alive(p->worker[i]) &&
            (!best || p->worker[i]->jobs > best->jobs))
            best = p->worker[i];
    return best;
}

static void give(struct pool *p, struct worker *w, struct job *job, uint64_t now) {
    if (worker_begin(w, job, now) == SM_OK) {
        send_more(p, w);
        return;
    }
    struct result *r = result_failure(SM_NOMEM, "");
    board_finish(&p->board, job, r);
    result_unref(r);
}

/* Large jobs take at most the workers of the setting; a small one may take the extra worker while a large one runs.
 */
static void dispatch(struct pool *p, uint64_t now) {
    struct worker *w;
    while ((w = idle_worker(p))) {
        int large, n = running(p, &large), free_slot = n < p->settings->workers;
        if (!free_slot && !(large && n == p->settings->workers))
            return;
        struct job *job = board_next(&p->board, free_slot, now);
        if (!job)
            return;
        give(p, w, job, now);
    }
}

/* Clocks */

static void kill_abandoned(struct pool *p) {
    for (int i = 0; i < p->workers; i++) {
        struct worker *w = p->worker[i];
        if (w->state == WORKER_BUSY && w->killed == KILL_NONE && board_abandoned(&p->board, w->job))
            worker_kill(w, KILL_ABANDONED);
    }
}

/* Workers that do not say HELLO, or do not end after their socket was closed. */
static void kill_overdue(struct pool *p, uint64_t now) {
    for (int i = 0; i < p->workers; i++) {
        struct worker *w = p->worker[i];
        if ((w->state == WORKER_STARTING || w->state == WORKER_GONE) && now > w->since_ns + WORKER_PATIENCE_NS)
            worker_kill(w, w->state == WORKER_GONE ? KILL_RETIRED : KILL_STOPPED);
    }
}

static uint64_t tick(struct pool *p) {
    uint64_t now = pool_clock_ns(), next = board_expire(&p->board, now);
    reap_orphans(p); /* nothing wakes the thread when one is stopped */
    kill_abandoned(p);
    kill_overdue(p, now);
    if (p->nursery_due_ns && now > p->nursery_due_ns)
        lose_nursery(p);
    if (p->nursery.socket < 0 && now >= p->nursery_retry_ns)
        start_nursery(p, now);
    if (p->start_failures >= START_FAILURES_MAX)
        board_fail_all(&p->board, SM_NO_WORKER, "No compiler worker can be started; the server's log says why", 0);
    breed(p, now);
    dispatch(p, now);
    publish(p);
    return next;
}

static int milliseconds_to(uint64_t next) {
    uint64_t now = pool_clock_ns();
    if (!next)
        return 1000;
    if (next <= now)
        return 0;
    uint64_t ms = (next - now + 999999) / 1000000;
    return ms < 1000 ? (int)ms : 1000;
}

/* Hang-ups come first: they name waiters, and a waiter lives no longer than until its job is done in this same round.
 */
static void hear_hang_ups(struct pool *p, const struct epoll_event *events, int n) {
    for (int i = 0; i < n; i++)
        if ((events[i].data.u64 & TAG_MASK) == TAG_WATCH)
            board_hung_up(&p->board, (struct waiter *)(uintptr_t)(events[i].data.u64 & ~(uint64_t)TAG_MASK));
}

static void hear(struct pool *p, const struct epoll_event *e) {
    void *ptr = (void *)(uintptr_t)(e->data.u64 & ~(uint64_t)TAG_MASK);
    uint64_t count;
    switch (e->data.u64 & TAG_MASK) {
    case TAG_WAKE:
        while (read(p->wake, &count, sizeof count) > 0)
            ;
        break;
    case TAG_NURSERY:
        on_nursery(p);
        break;
    case TAG_WORKER:
        on_worker(p, ptr, e->events);
        break;
    case TAG_PIDFD:
        reap_orphan(p, ptr);
        break;
    default:
        break;
    }
}

static void *run(void *arg) {
    struct pool *p = arg;
    struct epoll_event events[64];
    uint64_t next = tick(p);
    while (!atomic_load(&p->stopping)) {
        int n = epoll_wait(p->epoll, events, 64, milliseconds_to(next));
        atomic_store_explicit(&p->moved_ns, pool_clock_ns(), memory_order_relaxed);
        hear_hang_ups(p, events, n);
        for (int i = 0; i < n; i++)
            hear(p, &events[i]);
        bury(p);
        next = tick(p);
        bury(p);
    }
    return NULL;
}

struct pool *pool_start(const struct settings *s, struct metrics *m, struct cache *cache, char *why,
                        size_t why_size) {
    struct pool *p = calloc(1, sizeof *p);
    if (!p) {
        snprintf(why, why_size, "memory ran out");
        return NULL;
    }
    p->settings = s;
    p->metrics = m;
    p->epoll = epoll_create1(EPOLL_CLOEXEC);
    p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    board_init(&p->board, s, m, cache, p->epoll, TAG_WATCH);
    nursery_init(&p->nursery);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* a dead nursery's workers become smd's children, whose end it can learn */
    int ok =
        nursery_start(&p->nursery, s, why, why_size) == SM_OK && nursery_await(&p->nursery, why, why_size) == SM_OK;
    if (ok) {
        metric_add(m, METRIC_NURSERY_STARTS, 1);
        watch(p, p->wake, EPOLLIN, NULL, TAG_WAKE, EPOLL_CTL_ADD);
        watch(p, p->nursery.socket, EPOLLIN, NULL, TAG_NURSERY, EPOLL_CTL_ADD);
        ok = pthread_create(&p->thread, NULL, run, p) == 0;
        if (!ok)
            snprintf(why, why_size, "no thread could be started");
    }
    if (ok)
        return p;
    nursery_stop(&p->nursery);
    free(p->nursery.about);
    board_free(&p->board);
    close(p->epoll);
    close(p->wake);
    free(p);
    return NULL;
}

const char *pool_about(const struct pool *p) {
    return p->nursery.about;
}

sm_status pool_submit(struct pool *p, struct job *job, struct waiter *w) {
    sm_status s = board_submit(&p->board, job, w, pool_clock_ns());
    if (s == SM_OK)
        wake(p);
    return s;
}

int pool_cancel(struct pool *p, struct waiter *w) {
    int abandoned = 0, cancelled = board_cancel(&p->board, w, &abandoned);
    if (abandoned)
        wake(p);
    return cancelled;
}

struct pool_state pool_state(struct pool *p) {
    return (struct pool_state){.ready = atomic_load(&p->ready),
                               .workers = atomic_load(&p->total),
                               .busy = atomic_load(&p->busy_now),
                               .queued = board_queued(&p->board)};
}

int pool_moves(struct pool *p) {
    enum { SECONDS = 10 };
    return pool_clock_ns() < atomic_load_explicit(&p->moved_ns, memory_order_relaxed) + SECONDS * 1000000000ull;
}

int pool_retry_after(struct pool *p) {
    return board_retry_after(&p->board);
}

void pool_end_waits(struct pool *p) {
    board_fail_all(&p->board, SM_DRAINING, "The server is shutting down", 1);
    wake(p);
}

void pool_stop(struct pool *p) {
    atomic_store(&p->stopping, 1);
    wake(p);
    pthread_join(p->thread, NULL);
    for (int i = 0; i < p->workers; i++) {
        worker_kill(p->worker[i], KILL_RETIRED);
        job_free(p->worker[i]->job);
        p->worker[i]->job = NULL;
        worker_free(p->worker[i]);
    }
    nursery_stop(&p->nursery);
    while (waitpid(-1, NULL, WNOHANG) > 0) /* workers that the nursery left to us */
        ;
    free(p->nursery.about);
    board_free(&p->board);
    close(p->epoll);
    close(p->wake);
    free(p);
}
