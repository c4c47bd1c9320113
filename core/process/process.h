/* process.h - the processes of smd-worker. */
#ifndef CORE_PROCESS_H
#define CORE_PROCESS_H

#include "sandbox.h"

#include <jansson.h>

/* Forks workers until the control socket closes. The process's exit status. */
int forkserver_run(const struct limits *limits);

/* Serves jobs until the socket closes. The process's exit status. */
int serve(int socket, const struct limits *limits);

/* upgrade_server.c: smd-upgrade, beside smd-worker. The fork server starts it, and again after it has ended */
void upgrader_start(const struct limits *limits);
int upgrader_is(pid_t pid);
int upgrader_exists(void);
int upgrader_socket(
    const struct limits *limits); /* *new* descriptor, for upgrader_use: a worker's way to it; or UPGRADER_… */

/* Where memory comes from; once for each process, early. */
void allocator_init(void);

/* What this compiler is, as HELLO says it. *new* */
json_t *about(void);

#endif
