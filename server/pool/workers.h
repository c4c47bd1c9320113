/* workers.h - the pool's thread and its processes: what it keeps of them, and what becomes of a job when one ends.
 *
 * Everything in here belongs to the pool's thread alone, but for what struct pool publishes.
 */
#ifndef SMD_WORKERS_H
#define SMD_WORKERS_H

#include "admission.h"
#include "crashes.h"
#include "forkserver.h"
#include "jobtable.h"
#include "slots.h"
#include "worker.h"

#define SECOND_NS              1000000000u
#define FORKSERVER_PATIENCE_NS (30u * (uint64_t)SECOND_NS) /* for an answer to what it was asked */
#define WORKER_PATIENCE_NS     (5u * (uint64_t)SECOND_NS) /* for a HELLO, and for an end after its socket was closed */
#define RUNS_ALONE             4 /* of a job whose workers are killed while all others live: it is to blame then */
#define RUNS_MOST              8 /* of a job whose workers are killed as others are */
#define START_FAILURES_MAX     3 /* in a row; then jobs are refused instead of left waiting */

/* What an event is of: the low bits of epoll's data, whose rest is a ticket (slots.h): of a worker, or, for TAG_WATCH,
 * of a waiter. */
enum tag { TAG_WAKE, TAG_FORKSERVER, TAG_WORKER, TAG_PIDFD, TAG_WATCH };
enum { TAG_BITS = 3 };
_Static_assert(TAG_WATCH < 1 << TAG_BITS && TAG_BITS + SLOTS_TICKET_BITS <= 64, "a tag and a ticket are one number");

struct pool {
    const struct settings *settings;
    struct metrics *metrics;
    struct budget *budget;
    struct jobtable jobs;
    pthread_t thread;
    int epoll, wake;
    atomic_int stopping;
    atomic_ullong moved_ns; /* when the thread last went through its loop */
    /* Published to other threads. */
    atomic_int ready, total, busy_now;
    /* The thread's own. */
    struct forkserver forkserver;
    uint64_t forkserver_due_ns;   /* when an answer of the fork server is overdue; 0 while none is awaited */
    uint64_t forkserver_retry_ns; /* when the next start may be tried */
    int asked;                    /* workers asked for that have not come */
    uint64_t asks, spawned;       /* how many were ever asked for; the number of the last that came or never will */
    uint64_t alone_until_ns;      /* fresh workers stand ready until then, for jobs in processes of their own */
    struct admission admission;
    int start_failures;        /* in a row */
    uint64_t spawn_retry_ns;   /* when the next worker may be asked for after such failures */
    uint64_t strangers_due_ns; /* when children that smd never heard of are looked for again */
    struct worker *worker[1024];
    int workers;
    struct crashes *crashes; /* NULL: none are kept */
    struct slots tickets;    /* of workers, for their events */
    unsigned outside;        /* how many workers and fork servers were ended by others than smd and themselves */
};

/* Adds, changes or removes (OP, as for epoll_ctl) the events of FD that the thread waits for. 1 if that worked. */
int workers_watch(struct pool *p, int fd, uint32_t events, uint64_t ticket, enum tag tag, int op);

/* Publishes to other threads and the metrics how many workers there are. */
void workers_publish(struct pool *p);

/* An event of the socket or the pidfd of the worker with this ticket, if there still is one. */
void workers_on_worker_event(struct pool *p, uint64_t ticket, uint32_t events);
void workers_on_end(struct pool *p, uint64_t ticket);

/* Learns what became of the workers of dead fork servers. */
void workers_reap_orphans(struct pool *p);

/* Reaps ended children that smd never heard of: workers of a fork server that died before it reported them. Stops at
 * a known one, which is reaped by its own id. */
void workers_reap_strangers(struct pool *p);

/* 1 if somebody has stopped the fork server, which answers nothing then. */
int workers_forkserver_is_stopped(const struct pool *p);

/* Sends what a worker's socket takes, and listens for room if that was not all. */
void workers_send(struct pool *p, struct worker *w);

/* Start a fork server; give up one that is dead or does not answer; handle an event of its socket. */
void workers_start_forkserver(struct pool *p, uint64_t now);
void workers_lose_forkserver(struct pool *p);
void workers_on_forkserver_event(struct pool *p);

#endif
