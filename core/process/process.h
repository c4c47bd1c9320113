/* process.h - the processes of smd-worker. */
#ifndef CORE_PROCESS_H
#define CORE_PROCESS_H

#include "sandbox.h"

#include <jansson.h>
#include <poll.h>

/* Forks workers until the control socket closes. The process's exit status. */
int forkserver_run(const struct limits *limits);

/* Serves jobs until the socket closes. The process's exit status. */
int serve(int socket, const struct limits *limits);

/* upgrade_server.c: smd-upgrade, beside smd-worker. It is started when a worker asks it and it does not run.
 *
 * upgrader_socket gives a way to it, a *new* descriptor for upgrader_use, or UPGRADER_…. With NULL that is for a
 * worker of the fork server; with limits it is for this process, and smd-upgrade is started with them at once.
 * upgrader_poll is poll(2) for WAIT and for the workers that ask. upgrader_reap gives 0 if the process that has ended
 * or was stopped is another one. */
int upgrader_exists(void);
int upgrader_socket(const struct limits *now);
int upgrader_poll(struct pollfd wait[2], const struct limits *limits);
int upgrader_reap(pid_t pid, int status);

/* Where memory comes from; once for each process, early. */
void allocator_init(void);

/* What this compiler is, as HELLO says it. *new* */
json_t *about(void);

#endif
