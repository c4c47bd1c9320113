/* workers.c - see workers.h. */
#include "workers.h"

#include "clock.h"
#include "crashes.h"
#include "ending.h"
#include "log.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

int workers_watch(struct pool *p, int fd, uint32_t events, uint64_t ticket, enum tag tag, int op) {
    struct epoll_event e = {.events = events, .data.u64 = ticket << TAG_BITS | tag};
    return epoll_ctl(p->epoll, op, fd, &e) == 0;
}

/* Workers */

void workers_publish(struct pool *p) {
    int idle = 0, busy = 0, starting = 0, second = 0;
    for (int i = 0; i < p->workers; i++) {
        second += p->worker[i]->state == WORKER_BUSY && p->worker[i]->confirms;
        idle += p->worker[i]->state == WORKER_IDLE;
        busy += p->worker[i]->state == WORKER_BUSY;
        starting += p->worker[i]->state == WORKER_STARTING;
    }
    atomic_store(&p->total, p->workers);
    atomic_store(&p->busy_now, busy - second); /* these give way */
    atomic_store(&p->ready, p->forkserver.ready && idle + busy > 0);
    atomic_store(&p->metrics->value[METRIC_WORKERS_IDLE], idle);
    atomic_store(&p->metrics->value[METRIC_WORKERS_BUSY], busy);
    atomic_store(&p->metrics->value[METRIC_WORKERS_STARTING], starting);
}

/* Takes the descriptor out of the epoll set. Closing it is not enough: a process that is being forked may hold a
 * copy, for which the kernel would go on to report events. */
static void stop_listening(struct pool *p, int fd) {
    if (fd >= 0)
        epoll_ctl(p->epoll, EPOLL_CTL_DEL, fd, NULL);
}

/* Takes the worker off the pool and frees it. */
static void remove_worker(struct pool *p, struct worker *w) {
    for (int i = 0; i < p->workers; i++)
        if (p->worker[i] == w)
            p->worker[i] = p->worker[--p->workers];
    slots_leave(&p->tickets, w->ticket);
    stop_listening(p, w->socket);
    stop_listening(p, w->pidfd);
    worker_free(w);
}

/* Ends the worker's JOB with RESULT (may be NULL), which may have to be confirmed before it is kept. */
static void finish_job(struct pool *p, const struct worker *w, struct job *job, struct result *result) {
    struct job *unconfirmed = jobtable_finish(&p->jobs, job, result);
    if (unconfirmed)
        admission_add(&p->admission, unconfirmed, result, w->ticket, w->pid);
}

/* Ends the worker's job with the failure E. */
static void fail_job(struct pool *p, struct worker *w, const struct ending *e) {
    struct result *r = result_failure(e->status, e->detail);
    if (r)
        r->run_us = (uint32_t)((sm_clock_ns() - w->job->started_ns) / 1000);
    finish_job(p, w, w->job, r);
    result_unref(r);
}

static void retire(struct pool *p, struct worker *w);

/* Retires all idle workers: who killed one worker may have killed others whose end is not known yet. The job runs
 * again on a fresh one. */
static void retire_idle(struct pool *p) {
    for (int i = p->workers; i-- > 0;)
        if (p->worker[i]->state == WORKER_IDLE && !p->worker[i]->ended)
            retire(p, p->worker[i]);
}

/* 1 if a job whose worker was ended from outside may run again. If all its workers were killed, and no other process
 * was, the job itself is the cause: 0, and E is a crash. */
static int may_run_again(const struct pool *p, const struct job *job, struct ending *e) {
    int alone = job->killed == job->runs && p->outside - job->outside_before == (unsigned)job->killed;
    if (job->runs < (alone ? RUNS_ALONE : RUNS_MOST))
        return 1;
    if (alone) {
        e->killed_by_others = 0;
        e->status = SM_COMPILER_CRASHED;
        snprintf(e->detail, sizeof e->detail, "The compiler's process was killed, %d times, and no other with it",
                 job->killed);
    }
    return 0;
}

/* The first worker and the second made different things: none of it is kept, and the first takes no further job. */
static void note_difference(struct pool *p, const struct confirmation *c, const struct result *second, pid_t pid) {
    char key[SM_KEY_TEXT];
    struct worker *first = slots_find(&p->tickets, c->ticket);
    sm_key_text(&c->job->key, key);
    log_event(LOG_LEVEL_ERROR, "artifact_differs", "{s:s,s:s,s:s,s:s,s:i,s:i}", "detail",
              "artifact differs between workers", "key", key, "first", sm_status_name(c->first->status), "second",
              sm_status_name(second->status), "first_pid", (int)c->pid, "second_pid", (int)pid);
    if (first)
        first->is_last = 1;
    if (first && first->state == WORKER_IDLE)
        retire(p, first);
}

/* Keeps what the first worker made if it is what the second has made: SECOND (borrowed). */
static void judge(struct pool *p, struct confirmation *c, struct result *second, pid_t pid) {
    struct result *kept;
    int agrees = admission_agrees(c, second, &kept);
    metric_compile(p->metrics, second->status);
    if (agrees)
        jobtable_admit(&p->jobs, c->job, kept);
    else
        note_difference(p, c, second, pid);
    admission_end(&p->admission, c, agrees ? METRIC_ADMITTED : METRIC_ADMISSION_DIFFERENT);
}

/* The second worker has ended without a result. */
static void end_second(struct pool *p, struct worker *w, const struct ending *e) {
    struct confirmation *c = w->confirms;
    w->confirms = NULL;
    c->killed += e->killed_by_others;
    int is_own =
        !e->killed_by_others && w->killed != KILL_SLOW && w->killed != KILL_ABANDONED && w->killed != KILL_NO_ROOM;
    struct result *r = is_own ? result_failure(e->status, e->detail) : NULL;
    if (r)
        judge(p, c, r, w->pid);
    else if (w->killed == KILL_SLOW || (e->killed_by_others && c->killed < RUNS_MOST))
        admission_put_back(&p->admission, c);
    else
        admission_end(&p->admission, c, METRIC_ADMISSION_DROPPED);
    result_unref(r);
}

/* Runs the job of a worker whose end is known again, or ends it; removes the worker. */
static void finish_worker(struct pool *p, struct worker *w) {
    char log[8192], key[SM_KEY_TEXT] = "";
    worker_log_tail(w, log, sizeof log);
    struct ending e = classify_ending(w, log, p->settings);
    struct job *job = w->job;
    int again = 0;
    p->outside += e.unasked;
    if (job && !w->confirms && e.killed_by_others) {
        job->killed += e.unasked;
        again = may_run_again(p, job, &e);
    }
    metric_add(p->metrics, e.cause, 1);
    if (job)
        sm_key_text(&job->key, key);
    if (e.cause != METRIC_EXIT_RETIRED && e.cause != METRIC_EXIT_CANCELLED && e.cause != METRIC_EXIT_SLOW)
        log_event(LOG_LEVEL_WARNING, "worker_ended", "{s:i,s:s,s:s,s:s}", "pid", (int)w->pid, "key", key, "code",
                  job && !e.killed_by_others ? sm_status_name(e.status) : "", "detail", e.detail);
    if (w->confirms) {
        end_second(p, w, &e);
    } else if (job && jobtable_abandoned(&p->jobs, job)) {
        jobtable_drop(&p->jobs, job);
    } else if (job && w->killed == KILL_SLOW) {
        jobtable_put_back(&p->jobs, job);
    } else if (again) {
        metric_add(p->metrics, METRIC_JOBS_RETRIED, 1);
        retire_idle(p);
        jobtable_requeue(&p->jobs, job);
    } else if (job) {
        if (!e.killed_by_others && w->killed != KILL_NO_ROOM && p->crashes)
            crashes_keep(p->crashes, job, log, p->settings->crash_files);
        fail_job(p, w, &e);
    } else if (w->jobs == 0 && e.cause == METRIC_EXIT_CRASHED && ++p->start_failures == START_FAILURES_MAX) {
        log_event(LOG_LEVEL_ERROR, "workers_do_not_start", "{s:s,s:s}", "detail", e.detail, "log", log);
    }
    w->job = NULL;
    remove_worker(p, w);
}

/* Closes the worker's socket; the worker is finished once it is known how it ended. */
static void close_worker(struct pool *p, struct worker *w) {
    stop_listening(p, w->socket);
    if (w->socket >= 0)
        close(w->socket);
    w->socket = -1;
    w->state = WORKER_GONE;
    w->since_ns = sm_clock_ns();
    if (w->ended)
        finish_worker(p, w);
}

/* Lets the worker end by closing its socket. */
static void retire(struct pool *p, struct worker *w) {
    w->killed = KILL_RETIRED;
    close_worker(p, w);
}

/* 1 if the worker has done its last job, or enough of them, or holds too much memory or CPU time, so that a fresh process
 * has to take its place. */
static int is_worn(const struct settings *s, const struct worker *w, uint32_t rss_kib) {
    return w->is_last || w->jobs >= s->jobs_per_worker || rss_kib > (uint32_t)s->worker_memory_mib * 512u ||
           w->run_ns > (uint64_t)s->worker_cpu_s * SM_WORKER_LIFE / 2 * SECOND_NS;
}

/* Notes the compile among the slowest, if it is one. */
static void note_slow(struct pool *p, const struct job *job, const struct result *r) {
    struct slow_compile c = {
        .status = r->status, .run_us = r->run_us, .input_bytes = job->input_len, .timings = r->timings};
    sm_key_text(&job->key, c.key);
    slowest_note(&p->metrics->slowest, &c);
}

/* Ends the worker's job with the result that has come; a worker that sent no valid one is killed. */
static void take_result(struct pool *p, struct worker *w) {
    struct job *job = w->job;
    sm_status status;
    uint64_t now = sm_clock_ns();
    struct result *r = worker_result(w, &status);
    if (!r) {
        w->job = job;
        worker_kill(w, KILL_PROTOCOL);
        close_worker(p, w);
        return;
    }
    r->lacked_parts = job->options.incremental[0] && !job->earlier;
    r->run_us = (uint32_t)((now - job->started_ns) / 1000);
    if (w->confirms) {
        struct confirmation *c = w->confirms;
        w->confirms = NULL;
        judge(p, c, r, w->pid);
        result_unref(r);
        retire(p, w);
        return;
    }
    metric_observe(p->metrics, HISTOGRAM_QUEUE, (job->started_ns - job->arrived_ns) / 1000);
    metric_observe(p->metrics, HISTOGRAM_RUN, r->run_us);
    metric_stages(p->metrics, &r->timings);
    note_slow(p, job, r);
    uint32_t rss_kib = r->timings.peak_rss_kib;
    int last = r->timings.last != 0;
    w->run_ns += now - job->started_ns;
    finish_job(p, w, job, r);
    result_unref(r);
    if (last || is_worn(p->settings, w, rss_kib))
        retire(p, w);
}

void workers_send(struct pool *p, struct worker *w) {
    int waits = !worker_send(w);
    if (waits != w->waits_for_room)
        workers_watch(p, w->socket, waits ? EPOLLIN | EPOLLOUT : EPOLLIN, w->ticket, TAG_WORKER, EPOLL_CTL_MOD);
    w->waits_for_room = waits;
}

void workers_on_worker_event(struct pool *p, uint64_t ticket, uint32_t events) {
    struct worker *w = slots_find(&p->tickets, ticket);
    if (!w || w->socket < 0)
        return; /* closed in this round */
    if (events & EPOLLOUT && w->state == WORKER_BUSY)
        workers_send(p, w);
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

/* Notes how a worker ended, and what it has taken of CPUs (0: not known), and finishes it; kills one that somebody has
 * stopped. One with a job may have sent its result, so its socket is read to the end first. */
static void on_end(struct pool *p, struct worker *w, int wait_status, uint64_t cpu_ns) {
    if (WIFSTOPPED(wait_status)) {
        worker_kill(w, KILL_STOPPED);
        return;
    }
    w->ended = 1;
    w->wait_status = wait_status;
    if (w->job && cpu_ns)
        w->job->cpu_ended_ns = cpu_ns;
    if (w->state == WORKER_GONE)
        finish_worker(p, w);
    else if (w->state == WORKER_IDLE || w->state == WORKER_STARTING)
        close_worker(p, w);
    /* A busy one may have sent its result before it ended: its socket is read to the end first. */
}

/* Learns how a worker ended whose fork server is dead: it is smd's own child then. If the fork server had taken its
 * status and not reported it, nothing is left to ask: it is taken as killed, as the fork server was. */
static void reap_orphan(struct pool *p, struct worker *w) {
    siginfo_t info = {0};
    if (w->ended || w->forkserver == p->forkserver.generation)
        return;
    if (waitid(P_PIDFD, (id_t)w->pidfd, &info, WEXITED | WSTOPPED | WNOHANG) != 0) {
        if (errno == ECHILD && !worker_alive(w))
            on_end(p, w, W_EXITCODE(0, SIGKILL), 0);
    } else if (info.si_pid != 0) {
        int stopped = info.si_code == CLD_STOPPED || info.si_code == CLD_TRAPPED;
        on_end(p, w,
               stopped                      ? W_STOPCODE(info.si_status)
               : info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0)
                                            : W_EXITCODE(0, info.si_status),
               0);
    }
}

void workers_on_end(struct pool *p, uint64_t ticket) {
    struct worker *w = slots_find(&p->tickets, ticket);
    if (w)
        reap_orphan(p, w);
}

/* Notes the end of a worker that the current fork server reports. */
static void on_exited(struct pool *p, const struct forkserver_event *e) {
    struct worker *w = NULL;
    for (int i = 0; i < p->workers && !w; i++)
        if (p->worker[i]->pid == e->pid && p->worker[i]->forkserver == p->forkserver.generation &&
            !p->worker[i]->ended)
            w = p->worker[i];
    if (w)
        on_end(p, w, e->wait_status, e->cpu_ns);
}

/* Adds a new worker of the fork server to the pool; on failure its socket is closed, by which it ends. */
static void on_spawned(struct pool *p, const struct forkserver_event *e) {
    p->asked -= p->asked > 0;
    p->spawned++;
    struct worker *w = worker_new(e->pid, p->forkserver.generation, e->socket, e->pidfd, e->log,
                                  (size_t)p->settings->max_output_mib << 20, p->budget);
    if (!w)
        return;
    w->since_ns = sm_clock_ns();
    w->number = p->spawned;
    if (p->workers == (int)(sizeof p->worker / sizeof *p->worker) || !(w->ticket = slots_enter(&p->tickets, w)) ||
        !workers_watch(p, w->socket, EPOLLIN, w->ticket, TAG_WORKER, EPOLL_CTL_ADD) ||
        !workers_watch(p, w->pidfd, EPOLLIN | EPOLLET, w->ticket, TAG_PIDFD, EPOLL_CTL_ADD)) {
        remove_worker(p, w); /* it ends by itself when its socket closes */
        return;
    }
    p->worker[p->workers++] = w;
}

/* Fork server */

void workers_start_forkserver(struct pool *p, uint64_t now) {
    struct error err = {0};
    p->asked = 0;
    p->spawned = p->asks;
    p->forkserver_retry_ns = now + SECOND_NS;
    if (forkserver_start(&p->forkserver, p->settings, &err) != SM_OK) {
        log_event(LOG_LEVEL_ERROR, "forkserver_not_started", "{s:s}", "detail", err.text);
        return;
    }
    metric_add(p->metrics, METRIC_FORKSERVER_STARTS, 1);
    p->forkserver_due_ns = now + FORKSERVER_PATIENCE_NS;
    workers_watch(p, p->forkserver.socket, EPOLLIN, 0, TAG_FORKSERVER, EPOLL_CTL_ADD);
}

/* 1 if the process is the fork server, or a worker that has not ended. */
static int is_known_process(const struct pool *p, pid_t pid) {
    int known = pid == p->forkserver.pid;
    for (int i = 0; i < p->workers && !known; i++)
        known = p->worker[i]->pid == pid && !p->worker[i]->ended;
    return known;
}

void workers_reap_strangers(struct pool *p) {
    for (;;) {
        siginfo_t info = {0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0 ||
            is_known_process(p, info.si_pid))
            return;
        waitid(P_PID, (id_t)info.si_pid, &info, WEXITED | WNOHANG);
    }
}

int workers_forkserver_is_stopped(const struct pool *p) {
    siginfo_t info = {0};
    return p->forkserver.pid > 0 &&
           waitid(P_PID, (id_t)p->forkserver.pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

void workers_reap_orphans(struct pool *p) {
    for (int i = p->workers; i-- > 0;) /* finishing one takes a worker out, and the last one takes its place */
        reap_orphan(p, p->worker[i]);
}

void workers_lose_forkserver(struct pool *p) {
    log_event(LOG_LEVEL_WARNING, "forkserver_gone", "{s:i}", "pid", (int)p->forkserver.pid);
    stop_listening(p, p->forkserver.socket);
    forkserver_stop(&p->forkserver);
    p->outside++;
    p->forkserver_due_ns = 0;
    p->asked = 0;
    workers_reap_orphans(p);
}

void workers_on_forkserver_event(struct pool *p) {
    for (;;) {
        struct forkserver_event e = forkserver_next(&p->forkserver);
        switch (e.kind) {
        case FORKSERVER_NOTHING:
            return;
        case FORKSERVER_READY:
            p->forkserver_due_ns = 0;
            break;
        case FORKSERVER_SPAWNED:
            on_spawned(p, &e);
            p->forkserver_due_ns = p->asked ? sm_clock_ns() + FORKSERVER_PATIENCE_NS : 0;
            break;
        case FORKSERVER_EXITED:
            on_exited(p, &e);
            break;
        case FORKSERVER_GONE:
            workers_lose_forkserver(p);
            return;
        }
    }
}
