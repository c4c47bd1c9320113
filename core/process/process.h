/* process.h - the processes of smd-worker. */
#ifndef CORE_PROCESS_H
#define CORE_PROCESS_H

#include "sandbox.h"

#include <jansson.h>

/* Forks workers until the control socket closes. The process's exit status. */
int forkserver_run(const struct limits *limits);

/* Serves jobs until the socket closes. The process's exit status. */
int serve(int socket, const struct limits *limits);

/* Where memory comes from; once for each process, early. */
void allocator_init(void);

/* What this compiler is, as HELLO says it. *new* */
json_t *about(void);

#endif
