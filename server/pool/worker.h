/* worker.h - one worker process, seen from smd: a job goes out, a result comes in, and at last it ends somehow.
 *
 * Only the pool's thread uses this. A worker is trusted with nothing: what it sends is bounded and checked, and a
 * worker that breaks the protocol is killed.
 */
#ifndef SMD_WORKER_H
#define SMD_WORKER_H

#include "job.h"

#include <sys/types.h>

enum worker_state {
    WORKER_STARTING, /* forked, has not said HELLO */
    WORKER_IDLE,
    WORKER_BUSY,
    WORKER_GONE /* its socket is closed; how it ended is not known yet */
};

/* Why smd itself ended a worker. */
enum worker_kill {
    KILL_NONE,
    KILL_RETIRED,
    KILL_ABANDONED,
    KILL_SLOW, /* its job waits for another turn */
    KILL_PROTOCOL,
    KILL_OUTPUT,
    KILL_NO_ROOM,
    KILL_STOPPED
};

struct worker {
    enum worker_state state;
    enum worker_kill killed;
    pid_t pid;
    unsigned forkserver; /* the generation of the one that forked it, and reports its end */
    uint64_t ticket;     /* by which its events name it */
    int shot;            /* boolean: smd has sent SIGKILL */
    int socket, pidfd, log;
    uint64_t number;               /* counts the workers that were asked for */
    int jobs;                      /* served so far */
    int is_last;                   /* boolean: it takes no further job */
    struct confirmation *confirms; /* borrowed: what its job is the second run of; NULL */
    struct job *job;               /* borrowed, while BUSY or GONE in the middle of it */
    uint64_t since_ns;             /* when it entered its state */
    uint64_t run_ns;               /* what its jobs took together */
    sm_buf head;                   /* the frame's header and what stands before the input */
    size_t sent;                   /* of head and input together */
    int waits_for_room;            /* boolean: the thread listens for room in the socket */
    unsigned char header[SM_FRAME_HEADER];
    size_t got;     /* of the header */
    sm_frame frame; /* the header, once it is whole */
    sm_buf payload;
    struct budget *budget;  /* borrowed; NULL: results are not counted */
    struct charge charge;   /* of the frame that comes, before it does */
    sm_status refused;      /* by the budget, of KILL_NO_ROOM */
    int ended, wait_status; /* once it is known how it ended */
};

enum worker_progress { WORKER_WAITS, WORKER_SAYS_HELLO, WORKER_HAS_RESULT, WORKER_BROKE };

/* A worker of these descriptors, which it takes. NULL when out of memory (the descriptors are closed then). Its
 * results are taken from BUDGET (borrowed; may be NULL). *new* */
struct worker *worker_new(pid_t pid, unsigned forkserver, int socket, int pidfd, int log, size_t max_output,
                          struct budget *budget);
void worker_free(struct worker *w);

/* Begins to send JOB; the worker is BUSY. SM_NOMEM, or SM_OK. */
sm_status worker_begin(struct worker *w, struct job *job, int threads, uint64_t now_ns);

/* Sends what the socket takes. 1 when all is out, 0 when more waits, also for memory; a broken socket shows when it is read.
 */
int worker_send(struct worker *w);

/* Reads what has come. After WORKER_HAS_RESULT, worker_result takes it. */
enum worker_progress worker_receive(struct worker *w);

/* The result that has come, *new*; NULL, and why, if it is not a well-formed one. The worker is IDLE after. */
struct result *worker_result(struct worker *w, sm_status *status);

/* 1 if the process still runs, as far as the kernel knows this instant. */
int worker_alive(const struct worker *w);

/* Sends SIGKILL through the pidfd, which cannot hit another process. */
void worker_kill(struct worker *w, enum worker_kill why);

/* The stage that the job of the worker with this log is in, or was in when it ended; -1 if it says nothing valid. */
int worker_stage(int log);

/* The end of what the worker wrote to stderr during its job, at most SIZE-1 bytes, terminated, printable. */
void worker_log_tail(const struct worker *w, char *text, size_t size);

#endif
