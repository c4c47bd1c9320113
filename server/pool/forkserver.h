/* forkserver.h - the process that forks workers, seen from smd: start it, ask it for workers, learn how they ended.
 *
 * The fork server is smd-worker --fork-server, executed with one end of a socketpair as descriptor 3 (proto/wire/frame.h
 * says what is spoken there). It is single-threaded and warm, so that a fork of it is a worker that can compile at
 * once. Only the pool's thread uses this, but for the first start, which is before there is a thread.
 */
#ifndef SMD_FORKSERVER_H
#define SMD_FORKSERVER_H

#include "buf.h"
#include "error.h"
#include "settings.h"

#include <sys/types.h>

struct forkserver {
    pid_t pid;           /* 0 while there is none */
    int socket;          /* -1 while there is none */
    int ready;           /* boolean: its HELLO has come */
    unsigned generation; /* counts fork servers: a pid may come again */
    sm_buf in;           /* received, not yet parsed */
    int fds[3];          /* received with it: a worker's socket, pidfd and log */
    size_t fd_count;
    char *about; /* owned: what its HELLO said, JSON */
};

struct forkserver_event {
    enum { FORKSERVER_NOTHING, FORKSERVER_READY, FORKSERVER_SPAWNED, FORKSERVER_EXITED, FORKSERVER_GONE } kind;
    pid_t pid;              /* of the worker */
    int socket, pidfd, log; /* SPAWNED: *new*, the caller closes them */
    int wait_status;        /* EXITED: as waitpid gives it; a stopped worker is reported too */
    uint64_t cpu_ns;        /* EXITED: what it has taken of CPUs in all */
};

void forkserver_init(struct forkserver *n);

/* Executes the worker program; a READY event will follow once it is warm. */
sm_status forkserver_start(struct forkserver *n, const struct settings *s, struct error *err);

/* Waits for READY, at most 30 s, and until SIGTERM or SIGINT is pending: for the daemon's own start. */
sm_status forkserver_await(struct forkserver *n, struct error *err);

/* Asks for one worker; a SPAWNED event will follow. SM_CLOSED if the fork server is gone. */
sm_status forkserver_spawn(struct forkserver *n);

/* The next event that has come; FORKSERVER_NOTHING when there is none yet, FORKSERVER_GONE when the process ended or
 * spoke garbage. */
struct forkserver_event forkserver_next(struct forkserver *n);

/* Ends the process, reaps it, and frees everything. Workers go on. */
void forkserver_stop(struct forkserver *n);

#endif
