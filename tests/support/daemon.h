/* daemon.h - a daemon of the test's own, on a free port, in a folder of its own. */
#ifndef TEST_DAEMON_H
#define TEST_DAEMON_H

#include "files.h"

#include <sys/types.h>

struct daemon {
    pid_t pid;
    int port;
    int ended;        /* set by daemon_wait */
    int is_over;      /* boolean: it has ended, and its pid is nobody's or another's */
    char folder[64];  /* "log" in it is the daemon's log */
    char socket[108]; /* where it listens, if it is a unix socket; "" otherwise */
    char url[64];
};

/* Starts build's smd, two workers and nothing cached, with these further flags (NULL-terminated list, may be NULL)
 * and waits until it serves. */
struct daemon daemon_start(const char *const *flags);

/* SIGTERM; the test fails unless the daemon exits with 0 in time. The folder is removed. Of one that has ended before
 * nothing is left to do. */
void daemon_stop(struct daemon *d);

/* Only waits for the end; gives the exit status, 128 + the signal otherwise. */
int daemon_wait(struct daemon *d);

/* A connection of one's own to it, for what no client would send. */
int daemon_connect(const struct daemon *d);
int daemon_connect_from(const struct daemon *d, const char *address); /* as another client, from 127.x.y.z */

/* What it has logged so far; 1 if that has these WORDS. */
struct bytes daemon_log(const struct daemon *d);
int daemon_has_logged(const struct daemon *d, const char *words);

/* Waits until it has logged these words: its log has a thread of its own, and comes after the answers. */
void daemon_await_log(const struct daemon *d, const char *words);

/* The test fails unless smd ends with 1 and SAYS this, at its start with these flags, and with --check-config. */
void daemon_refuses(const char *flags, const char *says);

/* The fork server's pid; the workers' pids (their number is given, at most MAX). */
pid_t daemon_forkserver(const struct daemon *d);
int daemon_workers(const struct daemon *d, pid_t *pids, int max);

/* Stops a process where it is, and no one notices: not its parent either. One that was killed meanwhile is dead for
 * others when it is released. */
void process_hold(pid_t pid);
void process_release(pid_t pid);

/* Holds all workers, of whom there are COUNT, before they are given a job: it stays under way until they are released, on
 * any machine. */
struct held {
    pid_t pid[16];
    int count;
};
struct held daemon_hold_workers(struct daemon *d, int count);
void daemon_release(const struct held *h);

/* Waits until CONDITION(ARG) holds; the test fails if it has not for SECONDS, or five minutes where that is longer: who
 * waits for an event does not say how quick the machine is. */
void await(int (*condition)(void *arg), void *arg, double seconds, const char *what);

#endif
