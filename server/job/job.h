/* job.h - a job: one compile, and those who wait for it. */
#ifndef SMD_JOB_H
#define SMD_JOB_H

#include "hash.h"
#include "key.h"
#include "profiles.h"
#include "queue.h"
#include "result.h"
#include "source.h"

#include <stdatomic.h>

enum { JOB_PAYER = 80 }; /* bytes */

/* Who is told what workers spend on a job; all 0: nobody. */
struct payer {
    char name[JOB_PAYER]; /* for other servers, which may run the job */
    void *of;             /* owned by the job, until drop(OF) */
    void (*spend)(void *of, uint64_t ns);
    void (*drop)(void *of);
};

struct job {
    enum sm_job_kind kind;
    sm_options options;
    struct sm_key key;        /* the next after the options, as job_new has it: what the daemon finds the job by, */
    struct sm_key name;       /* and what clients call it */
    struct sm_key space;      /* whose part of the cache it belongs to; zeros: the one that all share */
    unsigned char digest[32]; /* SHA-256 of the input */
    struct sm_key hash;       /* the cache's own: what it finds the input by (inputs.h), */
    int is_new_input;         /* boolean: and that a hit would be the first with this input and these options */
    struct source *source;    /* owned reference: the input, which others may share */
    unsigned char *input;     /* its bytes */
    size_t input_len;
    char *profile;             /* owned: the request's own, as text (proto/options/profile.h); NULL */
    struct profiles *profiles; /* a reference: all that it may name; NULL before it has its key */
    char context[SM_KEY_TEXT]; /* what its key begins with: jobs of one context have the same compiler */
    struct result *earlier;    /* kept (result_keep): whose parts it may take over; NULL */
    struct charge parts;       /* what `earlier` takes */
    struct payer payer;        /* who sent it first */
    atomic_int keep;           /* boolean: somebody who waits wants the result kept, or who joins them at any time */
    /* The pool's own from here on. */
    struct queue_item item;
    struct waiter *waiters;  /* doubly linked; empty: the job is given up */
    struct hash_node flight; /* in the table of jobs that may be joined (jobtable.c) */
    uint64_t arrived_ns, started_ns;
    int is_alone;            /* boolean: it runs in a process of its own; whoever makes the job sets it */
    int runs;                /* how often it was given to a worker */
    int killed;              /* how many of these were ended from outside */
    unsigned outside_before; /* the pool's count of such ends when it was given the first time */
    uint64_t asked_before;   /* the count of workers asked for when it began to run the last time */
    int running;             /* boolean */
    int is_extra;            /* boolean: while it runs: beside as many others as there are workers by the setting */
    int threads;             /* while it runs: of its worker */
    int pid;                 /* its worker's, while it runs, and what that had taken of CPUs before */
    uint64_t cpu_before_ns;
    uint64_t cpu_ended_ns; /* what it had taken when it ended, or smd killed it; 0: it lives, or nobody knows */
    int log;               /* borrowed: its worker's, while it is running; -1 before it has one */
};

/* Where a result came from. */
enum from { FROM_COMPILED, FROM_FLIGHT, FROM_MEMORY, FROM_DISK, FROM_SHARED, FROM_STORE, FROM_KINDS };
const char *from_word(enum from from); /* as X-Smd-Cache has it. Static storage */

/* One who waits for a job. It is a member of whatever waits: a request, an item of a batch, a stored job,
 * a check (verify.c). The pool never frees it. */
struct waiter {
    /* Called exactly once, from any thread, without a lock, unless dispatch_cancel came first. RESULT is
     * *borrowed*; NULL when the watched client has hung up, or out of memory. */
    void (*done)(struct waiter *w, struct result *result);
    uint64_t client;      /* for fair shares; any number */
    uint64_t deadline_ns; /* CLOCK_MONOTONIC */
    int deadline_ms;      /* as it was asked for; set by the pool */
    int watch_fd;         /* a socket whose peer may hang up; -1 for none */
    /* What the pool reports, readable in done() and after it. */
    enum from from;
    uint32_t queue_us;     /* from arrival to the job's way to a worker; */
    uint64_t ran_ns;       /* and when that was; 0: it did not come to that */
    char missed[192];      /* with the option `explain`: why the cache had nothing */
    struct lookup *lookup; /* dispatch's own: while it looks on disk */
    /* The pool's own. */
    struct job *job; /* NULL once it waits no longer */
    int stage;       /* of a running job whose deadline has passed: enum sm_stage, -1 if unknown */
    struct waiter *prev, *next;
    struct heap_node deadline;
    uint64_t watched; /* its ticket; 0: its client is not watched */
};

/* A job of defaults with no input; *new*. NULL when out of memory. */
struct job *job_new(enum sm_job_kind kind);
void job_free(struct job *j); /* NULL is fine */

/* Nobody is told any more what is spent on the job. */
void job_drop_payer(struct job *j);

/* The job's input is SOURCE, a reference that is *taken*; 0 if it is NULL. */
int job_set_input(struct job *j, struct source *source);

/* The parts of RESULT may be taken over, if it has any and there is room for them; they are counted as CLIENT's. */
void job_take_earlier(struct job *j, struct result *result, struct budget *b, uint64_t client);

/* When a job that is submitted now has to be done, by its own deadline. CLOCK_MONOTONIC. */
uint64_t job_deadline_ns(const struct job *j);

/* 1 if the job may be answered with what was made before. */
int job_takes_kept(const struct job *j);

/* Gives the job its profiles, those in force and its own: its key context is what they make of the server's.
 * *borrowed* from the job; NULL if out of memory. */
const char *job_context(struct job *j, const char *context);

/* Compute the input's digest, and the key from kind, options, digest and job_context. cache_key() calls them where it
 * has to. */
sm_status job_digest(struct job *j);

/* What the daemon finds by the key NAME in a part of the cache: a name of the part that all share is its own key. So
 * tenants who share nothing can say the same name, and none learns whether another has something of it. */
sm_status job_place(const struct sm_key *space, const struct sm_key *name, struct sm_key *key);
sm_status job_key(struct job *j, const char *context);

#endif
